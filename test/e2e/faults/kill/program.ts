/**
 * The program that is killed: the real orchestrator, client and store, and a chat that lives in the test's own
 * process. Everything it does passes a named point; at the one it is told, it dies as by kill -9.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../../src/base/clock.ts';
import type { CardRef } from '../../../../src/command/place.ts';
import { createGenerationClient } from '../../../../src/generation-client/client.ts';
import { isFinal, type Job } from '../../../../src/orchestrator/job/job.ts';
import type { JobRecords } from '../../../../src/orchestrator/job/records.ts';
import { createOrchestrator } from '../../../../src/orchestrator/orchestrator.ts';
import { emptyModel } from '../../../../src/orchestrator/schedule/durations.ts';
import type { OrchestratorPorts, Service } from '../../../../src/orchestrator/steps/effects.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import { idlePorts, standardTimes } from '../../../fakes/job-ports.ts';
import { soleMember } from '../../../fakes/sole-member.ts';
import { type KillOrders, killKey, type PlatformEvent, people } from './chat.ts';

const orders: KillOrders = JSON.parse(process.argv[2] ?? '{}');
const seen = new Map<string, number>();

/** Marks a point that the program passes, and kills the program if its orders name this pass of it. */
function at(point: string): void {
  const passes = (seen.get(point) ?? 0) + 1;
  seen.set(point, passes);
  if (orders.kill?.point !== point || orders.kill.pass !== passes) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way: nothing more may happen here.
  for (;;);
}

async function passing<T>(point: string, work: () => Promise<T>): Promise<T> {
  at(`before ${point}`);
  const result = await work();
  at(`after ${point}`);
  return result;
}

async function ask<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`${orders.chat}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return response.json() as Promise<T>;
}

const store = await openSqliteStore({ path: orders.file, keys: [killKey] });
const { jobs } = store;
const records: JobRecords = {
  ...jobs,
  accept(order) {
    at('before writing a new job');
    return jobs.accept(order);
  },
  async save(before, after, ...how) {
    const change = `writing ${before.state} to ${after.state}`;
    at(`before ${change}`);
    const saved = await jobs.save(before, after, ...how);
    at(`after ${change}`);
    return saved;
  },
};
const client = createGenerationClient({ baseUrl: orders.service, apiKey: 'key', token: 'token' });
const service: Service = {
  run: (request, { record: { ready, unsent } }) =>
    passing('the run call', () =>
      client.run(request, {
        record: { ready: () => passing('its mark', ready), unsent: () => passing('its pause', unsent) },
      }),
    ),
  status: (job) => passing('a poll', () => client.status(job)),
  probe: (credentials) => passing('probing', () => client.probe(credentials)),
};
const ports: OrchestratorPorts = {
  ...idlePorts,
  photo: () =>
    passing('fetching the photo', async () => ({
      image: { bytes: Buffer.from('photo'), type: 'image/jpeg' },
      hashes: [],
    })),
  draw: (job, _, importance, output) =>
    passing(`drawing ${job.state}`, () =>
      ask('/draw', {
        card: job.card?.ref,
        state: job.state,
        importance,
        charge: job.charge,
        result: output !== undefined,
      }),
    ),
};
const orchestrator = createOrchestrator({
  store: { ...store, jobs: records },
  members: soleMember,
  models: {
    get: async (kind) => emptyModel(kind, 'image', { medianMs: 40, sigma: 0.5 }),
    update: async () => undefined,
  },
  client: service,
  callsWaiting: () => 0,
  ports,
  limits: {
    userConcurrentJobs: 3,
    userWaitingJobs: 1000,
    userJobsPerMinute: 100_000,
    serviceConcurrentJobs: 20,
    serviceCallsPerSecond: 10_000,
  },
  deadlines: standardTimes.deadlines,
  floorsMs: { image: 10, video: 10 },
  clock: systemClock,
  random: Math.random,
  log: { info: () => undefined, warn: () => undefined, error: (fields: unknown) => console.error(fields) },
});

async function ofEverybody(): Promise<Job[]> {
  return (await Promise.all(people.map((person) => jobs.ofPerson(`web:${person}`, 1_000_000)))).flat();
}

async function handle(event: PlatformEvent): Promise<void> {
  const requestOf = (prompt: string) =>
    ({ kind: 'self-prompt', photo: { from: 'web', ref: 'photo' }, prompt }) as const;
  const numbers = Array.from({ length: (event.photos ?? 1) - 1 }, (_, index) => index + 1);
  const { job, known, others } = await orchestrator.accept({
    origin: event.id,
    caller: { platform: 'web', id: event.person, name: 'somebody', locale: 'en' },
    place: { platform: 'web', community: 'web:room', channel: 'room', direct: false },
    private: false,
    request: requestOf(event.prompt),
    otherRequests: numbers.map((number) => requestOf(`${event.prompt}, photo ${number}`)),
    label: 'a prompt',
    credits: 2,
    dailyCredits: 1_000_000,
  });
  at('after writing a new job');
  await orchestrator.onDisk();
  for (const each of [job, ...(known ? await orchestrator.others(job) : others)]) {
    if (each.card !== undefined) continue;
    const show = (): Promise<CardRef> => ask('/show', { event: each.origin });
    const card = await passing(each === job ? 'showing the card' : 'showing another card', show);
    await orchestrator.cardShown(each.id, card);
  }
  if (event.cancelAfterMs !== undefined) {
    await pause(event.cancelAfterMs);
    await orchestrator.cancel(job.id);
  }
  await ask('/handled', { event: event.id });
}

/** Whether nothing is left to do: every job has ended, and its card says so. */
const idle = async (): Promise<boolean> =>
  (await ofEverybody()).every(({ state, settled }) => isFinal(state) && settled);

await orchestrator.start();
const handled = new Set<string>();
for (;;) {
  const { events, closing } = await ask<{ events: PlatformEvent[]; closing: boolean }>('/events');
  const fresh = events.filter(({ id }) => !handled.has(id));
  for (const event of fresh) {
    handled.add(event.id);
    void handle(event);
  }
  if (closing && events.length === 0 && (await idle())) break;
  await pause(10);
}
await orchestrator.stop();
await ask('/report', {
  points: [...seen.keys()],
  jobs: await ofEverybody(),
  usage: await store.usage.community(new Date().toISOString().slice(0, 10), 'web:room'),
});
store.close();
await client.close();
