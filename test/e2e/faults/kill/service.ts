/** The generation service with its bills: it outlives the kills. What it does with a request stands in the prompt. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isRun, polledJob } from '../../../fakes/service-calls.ts';
import { hangUp, listen } from '../../../listen.ts';
import type { Chance } from './chance.ts';

export type KillService = Awaited<ReturnType<typeof createKillService>>;

export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function createKillService(chance: Chance, called: () => void) {
  /** Run calls that the service took, by prompt. */
  const runs = new Map<string, number>();
  const turnedAway = new Set<string>();
  const jobs = new Map<string, { readonly prompt: string; readonly doneAt: number }>();

  const server = serving(async (method, path, body) => {
    called();
    await new Promise((resolve) => setTimeout(resolve, chance.between(0, 8)));
    if (isRun(method, path)) {
      const prompt = String(body.prompt);
      if (prompt.startsWith('refused')) return [422, { error_code: 'FILTER_NOT_FOUND' }];
      if (prompt.startsWith('turned away') && !turnedAway.has(prompt)) {
        turnedAway.add(prompt);
        return [429, {}];
      }
      runs.set(prompt, (runs.get(prompt) ?? 0) + 1);
      const id = `job-${jobs.size + 1}`;
      jobs.set(id, { prompt, doneAt: Date.now() + chance.between(20, 80) });
      return [200, { id, status: 'QUEUED' }];
    }
    const id = polledJob(path) ?? '';
    const job = jobs.get(id);
    if (job === undefined) return [404, {}];
    if (Date.now() < job.doneAt) return [200, { id, status: 'RUNNING', output: {} }];
    if (job.prompt.startsWith('failing')) return [200, { id, status: 'FAILED', output: {} }];
    return [200, { id, status: 'COMPLETED', output: { images: [picture] } }];
  });
  return { url: await listen(server), runs, close: () => hangUp(server) };
}

type Answer = [status: number, body: unknown];

export function serving(
  answer: (method: string, path: string, body: Record<string, unknown>) => Promise<Answer>,
): Server {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const [status, body] = await answer(
      request.method ?? 'GET',
      request.url ?? '/',
      text === '' ? {} : JSON.parse(text),
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => {
      // The request of a program that was just killed has broken off, and nobody waits for its answer.
      if (!request.errored && !response.headersSent) response.writeHead(500).end();
    });
  });
  // Never closed from this side while the program is about to use it again.
  server.keepAliveTimeout = 0;
  return server;
}
