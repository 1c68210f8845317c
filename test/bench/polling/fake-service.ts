import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Job, Outage } from './traces.ts';

export type FakeService = AsyncDisposable & {
  url: string;
  /** From true completion to the first answer that said so, by job; unseen jobs are left out. */
  delays(): number[];
  statusCalls(): number;
};

/** Speaks enough of both services: submission, status, result. An outage answers status calls with 503. */
export async function startFakeService(
  jobs: readonly Job[],
  outage: Outage | undefined,
): Promise<FakeService> {
  const started = performance.now();
  const submitted = new Map<number, number>();
  const seen = new Map<number, number>();
  let statusCalls = 0;

  const finishedAt = (job: number): number =>
    (submitted.get(job) ?? Number.POSITIVE_INFINITY) + (jobs[job]?.duration ?? 0);
  const status = (job: number): 'down' | 'running' | 'done' => {
    statusCalls++;
    const now = performance.now();
    if (outage !== undefined && now - started >= outage.from && now - started < outage.until) return 'down';
    if (now < finishedAt(job)) return 'running';
    if (!seen.has(job)) seen.set(job, now - finishedAt(job));
    return 'done';
  };
  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const [, forFal, falAsksStatus] = /^\/o\/m\/requests\/(\d+)(\/status)?$/.exec(path) ?? [];
    const [, forReplicate] = /^\/v1\/predictions\/(\d+)$/.exec(path) ?? [];
    if (request.method === 'POST') {
      const job = Number(/"job":"(\d+)"/.exec(await bodyOf(request))?.[1]);
      submitted.set(job, performance.now());
      return path === '/o/m'
        ? [200, { request_id: String(job), status: 'IN_QUEUE' }]
        : [201, { id: String(job), status: 'starting' }];
    }
    if (forFal !== undefined && falAsksStatus === undefined) return [200, { done: true }];
    const job = Number(forFal ?? forReplicate);
    const state = status(job);
    if (state === 'down') return [503, { detail: 'down' }];
    if (forFal !== undefined)
      return [200, { request_id: forFal, status: state === 'done' ? 'COMPLETED' : 'IN_PROGRESS' }];
    return [200, { id: forReplicate, status: state === 'done' ? 'succeeded' : 'processing', output: 'done' }];
  };

  const server = createServer(async (request, response) => {
    const [code, body] = await answer(request);
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    delays: () => [...seen.values()],
    statusCalls: () => statusCalls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
