/** What outlives the kills: the chat with its cards and events, and the generation service with its bills. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Job } from '../../../src/orchestrator/job.ts';
import type { UsageCount } from '../../../src/orchestrator/records.ts';

export interface KillOrders {
  readonly chat: string;
  readonly service: string;
  readonly file: string;
  readonly kill?: { readonly point: string; readonly pass: number };
}

/** Handed out again and again until somebody says that it was handled. */
export interface PlatformEvent {
  readonly id: string;
  readonly person: string;
  readonly prompt: string;
  readonly cancelAfterMs?: number;
}

export interface Report {
  readonly points: readonly string[];
  readonly jobs: readonly Job[];
  readonly usage: UsageCount;
}

interface Edit {
  readonly state: string;
  readonly importance: 'cosmetic' | 'final';
  readonly result: boolean;
}

export interface Outside {
  readonly urls: { readonly chat: string; readonly service: string };
  readonly cards: ReadonlyMap<string, readonly Edit[]>;
  /** Run calls that the service took, by prompt. */
  readonly runs: ReadonlyMap<string, number>;
  reports: Report[];
  send(event: PlatformEvent): void;
  closing: boolean;
  close(): Promise<void>;
}

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function createOutside(): Promise<Outside> {
  const events = new Map<string, PlatformEvent>();
  const cards = new Map<string, Edit[]>();
  const runs = new Map<string, number>();
  const serviceJobs = new Map<string, { readonly prompt: string; readonly doneAt: number }>();
  const reports: Report[] = [];
  const outside = { closing: false };

  const chat = await listen(async (path, body) => {
    const text = (name: string): string => String(body[name]);
    switch (path) {
      case '/events':
        return [200, { events: [...events.values()], closing: outside.closing }];
      case '/handled':
        events.delete(text('event'));
        return [200, {}];
      case '/show': {
        // As on the platforms: answering the same event again shows the same message.
        const ref = `card of ${text('event')}`;
        if (!cards.has(ref)) cards.set(ref, []);
        return [200, { platform: 'web', ref }];
      }
      case '/draw': {
        const edits = cards.get(text('card'));
        if (edits === undefined) return [200, { state: 'gone' }];
        const importance = body.importance === 'final' ? 'final' : 'cosmetic';
        edits.push({ state: text('state'), importance, result: body.result === true });
        return [200, { state: 'drawn' }];
      }
      default:
        reports.push(body as unknown as Report);
        return [200, {}];
    }
  });

  const service = await listen(async (path, body) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
    if (path.startsWith('/v2/run/')) {
      const prompt = String(body.prompt);
      if (prompt.startsWith('refused')) return [422, { error_code: 'FILTER_NOT_FOUND' }];
      runs.set(prompt, (runs.get(prompt) ?? 0) + 1);
      const id = `job-${serviceJobs.size + 1}`;
      serviceJobs.set(id, { prompt, doneAt: Date.now() + 20 + Math.random() * 60 });
      return [200, { id, status: 'QUEUED' }];
    }
    const id = path.split('/').at(-1) ?? '';
    const job = serviceJobs.get(id);
    if (job === undefined) return [404, {}];
    if (Date.now() < job.doneAt) return [200, { id, status: 'RUNNING', output: {} }];
    if (job.prompt.startsWith('failing')) return [200, { id, status: 'FAILED', output: {} }];
    return [200, { id, status: 'COMPLETED', output: { images: [picture] } }];
  });

  return Object.assign(outside, {
    urls: { chat: urlOf(chat), service: urlOf(service) },
    cards,
    runs,
    reports,
    send: (event: PlatformEvent) => void events.set(event.id, event),
    async close() {
      for (const server of [chat, service]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  });
}

type Answer = [status: number, body: unknown];

function listen(answer: (path: string, body: Record<string, unknown>) => Promise<Answer>): Promise<Server> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const [status, body] = await answer(request.url ?? '/', text === '' ? {} : JSON.parse(text));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  // A request of a program that has just been killed breaks off; that is what this is about.
  const server = createServer((request, response) => void respond(request, response).catch(() => undefined));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
