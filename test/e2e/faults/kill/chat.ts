/** The parts that outlive the kills: a chat with its cards and events, and the generation service. */
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { UsageCount } from '../../../../src/orchestrator/job/records.ts';
import { hangUp, listen } from '../../../listen.ts';
import type { Chance } from './chance.ts';
import { createKillService, serving } from './service.ts';

/** The key of the program's store. */
export const killKey = Buffer.alloc(32, 7);
export const people = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay'];

export interface KillOrders {
  readonly chat: string;
  readonly service: string;
  readonly file: string;
  readonly kill?: { readonly point: string; readonly pass: number };
}

/** An event of the chat, which hands it out again and again until the program says that it was handled. */
export interface PlatformEvent {
  readonly id: string;
  readonly person: string;
  readonly prompt: string;
  readonly cancelAfterMs?: number;
  /** How many photos the album has; absent: one. */
  readonly photos?: number;
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

export type Outside = Awaited<ReturnType<typeof createOutside>>;

interface Watching {
  closing: boolean;
  /** Told of every call that the program makes to the chat or to the service, except its questions for events. */
  called: (() => void) | undefined;
  /** Told of each question of the program for events. */
  asked: (() => void) | undefined;
}

export async function createOutside(chance: Chance) {
  const service = await createKillService(chance, () => outside.called?.());
  const events = new Map<string, PlatformEvent>();
  const cards = new Map<string, Edit[]>();
  const reports: Report[] = [];
  const outside: Watching = { closing: false, called: undefined, asked: undefined };

  const chat = serving(async (_method, path, body) => {
    if (path === '/events') outside.asked?.();
    else outside.called?.();
    const text = (name: string): string => String(body[name]);
    switch (path) {
      case '/events':
        return [200, { events: [...events.values()], closing: outside.closing }];
      case '/handled':
        events.delete(text('event'));
        return [200, {}];
      case '/show': {
        // As on the platforms, a second answer to the same event shows the same message.
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

  return Object.assign(outside, {
    urls: { chat: await listen(chat), service: service.url },
    cards,
    runs: service.runs,
    reports,
    send: (event: PlatformEvent) => void events.set(event.id, event),
    async close(): Promise<void> {
      await hangUp(chat);
      await service.close();
    },
  });
}
