import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeService } from './fake-service.ts';
import { clients } from './other-clients.mjs';
import { mean, percentile } from './simulate.ts';
import type { Job, Outage } from './traces.ts';

export type ClientResult = { client: string; mean: number; p95: number; callsPerJob: number; lost: number };
type Run = { jobs: readonly Job[]; outage?: Outage | undefined };

/** Other people's clients as they come, in real time, against a server that tells when a job was truly done. */
export async function runClients(run: Run): Promise<ClientResult[]> {
  return Promise.all(Object.entries(clients).map(([client, runOne]) => drive(client, run, runOne)));
}

async function drive(
  client: string,
  { jobs, outage }: Run,
  runOne: (url: string, job: string) => Promise<unknown>,
): Promise<ClientResult> {
  await using service = await startFakeService(jobs, outage);
  const origin = jobs[0]?.submittedAt ?? 0;
  let lost = 0;
  const all = jobs.map(async ({ submittedAt }, index) => {
    await sleep(submittedAt - origin);
    try {
      await runOne(service.url, String(index));
    } catch {
      // The job completes all the same; its client no longer asks.
      lost++;
    }
  });
  await Promise.all(all);
  const delays = service.delays();
  return {
    client,
    mean: mean(delays),
    p95: percentile(delays, 0.95),
    callsPerJob: service.statusCalls() / jobs.length,
    lost,
  };
}
