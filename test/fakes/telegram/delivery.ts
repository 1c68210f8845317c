import type { Update } from 'grammy/types';
import type { Clock } from '../../../src/base/clock.ts';
import type { Payload } from './payload.ts';
import { Refusal } from './refusal.ts';

interface Waiter {
  readonly answer: (updates: readonly Update[]) => void;
  readonly refuse: (refusal: Refusal) => void;
}

const day = 24 * 3_600_000;
const redeliverMs = 1_000;
/** Telegram opens so many connections to a webhook unless `max_connections` says otherwise. */
const mostConnections = 40;

const conflict = (words: string): Refusal => new Refusal(409, `Conflict: ${words}`);

/** Updates on their way to the bot: kept until they are confirmed, fetched or delivered. */
export const createDelivery = (clock: Clock) => {
  let next = 100_001;
  let queue: { readonly update: Update; readonly at: number }[] = [];
  const sent = new Map<number, Update>();
  let waiter: Waiter | undefined;
  let webhook: { url: string; secret: string | undefined } | undefined;
  let stopped = false;
  let allowed: readonly string[] = [];

  const live = (): Update[] => {
    queue = queue.filter(({ at }) => at > clock.now() - day);
    return queue.map(({ update }) => update);
  };

  let connections = 0;
  const waiting: Update[] = [];
  const post = async (update: Update): Promise<void> => {
    if (connections >= mostConnections) {
      waiting.push(update);
      return;
    }
    connections += 1;
    await postNow(update);
    connections -= 1;
    const next = waiting.shift();
    if (next !== undefined) await post(next);
  };
  const postNow = async (update: Update): Promise<void> => {
    if (webhook === undefined || stopped) return;
    const secret = webhook.secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': webhook.secret };
    const answer = await fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...secret },
      body: JSON.stringify(update),
    }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) queue = queue.filter((each) => each.update.update_id !== update.update_id);
    else if (!stopped) clock.after(redeliverMs, () => void post(update));
  };

  const arrived = (update: Update): void => {
    queue.push({ update, at: clock.now() });
    queue.sort((a, b) => a.update.update_id - b.update.update_id);
    if (webhook) void post(update);
    else waiter?.answer(live().slice(0, 100));
  };

  return {
    push(update: Omit<Update, 'update_id'>): number {
      // The update is copied, because later changes of a message do not change an update that was sent.
      const whole = structuredClone({ ...update, update_id: next }) as Update;
      next += 1;
      sent.set(whole.update_id, whole);
      arrived(whole);
      return whole.update_id;
    },
    /** Counts on from here, as after a week without updates or on another Bot API server. */
    jump(to: number): void {
      next = to;
    },
    /** Delivers the same update once more, as after a lost confirmation. */
    again(id: number): void {
      const update = sent.get(id);
      if (update) arrived(update);
    },
    async getUpdates({ values }: Payload, signal: AbortSignal): Promise<readonly Update[]> {
      if (webhook)
        throw conflict("can't use getUpdates method while webhook is active; use deleteWebhook first");
      waiter?.refuse(conflict('terminated by other getUpdates request; make sure that only one bot runs'));
      allowed = (values.allowed_updates as string[] | undefined) ?? allowed;
      const offset = Number(values.offset ?? 0);
      // One that lies far ahead is none: Telegram then begins with the oldest and confirms nothing.
      if (offset <= next + 10) queue = queue.filter(({ update }) => update.update_id >= offset);
      const limit = Number(values.limit ?? 100);
      const ready = live().slice(0, limit);
      const seconds = Number(values.timeout ?? 0);
      if (ready.length > 0 || seconds === 0) return ready;
      const { promise, resolve, reject } = Promise.withResolvers<readonly Update[]>();
      const mine: Waiter = { answer: resolve, refuse: reject };
      waiter = mine;
      const cancel = clock.after(seconds * 1000, () => resolve([]));
      signal.addEventListener('abort', () => resolve([]), { once: true });
      try {
        return await promise;
      } finally {
        cancel();
        if (waiter === mine) waiter = undefined;
      }
    },
    setWebhook({ values }: Payload): true {
      allowed = (values.allowed_updates as string[] | undefined) ?? allowed;
      webhook = values.url
        ? { url: String(values.url), secret: values.secret_token as string | undefined }
        : undefined;
      if (values.drop_pending_updates === true) queue = [];
      for (const update of live()) void post(update);
      return true;
    },
    deleteWebhook({ values }: Payload): true {
      webhook = undefined;
      if (values.drop_pending_updates === true) queue = [];
      return true;
    },
    getWebhookInfo: () => ({
      url: webhook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: queue.length,
    }),
    /** Whether the bot has asked for updates of this kind. */
    isWanted: (kind: string): boolean => allowed.includes(kind),
    /** Updates that Telegram still holds. */
    get pending(): readonly Update[] {
      return live();
    },
    stop(): void {
      stopped = true;
      waiter?.answer([]);
    },
  };
};

/** The updates that wait for the bot. */
export type Delivery = ReturnType<typeof createDelivery>;
