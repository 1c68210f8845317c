import type { Update } from 'grammy/types';
import { backoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Calls } from '../api/api.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import type { Intake } from './intake.ts';

export const allowedUpdates = ['message', 'callback_query'] as const;

const longPollSeconds = 30;
const pollTimeoutMs = 45_000;
const batch = 100;
/** While something unconfirmed is in hand Telegram answers at once and with the same again: we ask less and less often. */
const pausesMs = [15, 25, 50, 100, 250];
/** Past this age an update moves into our own store, so that the queue behind it can be confirmed. */
const slowMs = 5_000;
const longestBackoffMs = 30_000;

export interface Polling {
  /** Until the signal. */
  run(stop: AbortSignal): Promise<void>;
}

interface Open {
  readonly update: Update;
  readonly since: number;
}

/**
 * Long polling that confirms an update only when it has been handled, or stands in our own store. grammY's runner
 * confirms as soon as it has fetched: a kill would lose up to a hundred commands.
 */
export const createPolling = (options: {
  readonly call: Calls;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly trouble: (words: string | undefined) => void;
}): Polling => {
  const { clock, intake } = options;
  const open = new Map<number, Open>();
  const finished = new Set<number>();
  let next: number | undefined;
  let wake: () => void = () => undefined;

  const offset = (): number | undefined => (open.size > 0 ? Math.min(...open.keys()) : next);

  const pause = (ms: number, stop: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stop.removeEventListener('abort', end);
        wake = () => undefined;
        resolve();
      };
      const cancel = clock.after(ms, end);
      wake = end;
      stop.addEventListener('abort', end, { once: true });
      if (stop.aborted) end();
    });

  const begin = (update: Update): void => {
    const id = update.update_id;
    open.set(id, { update, since: clock.now() });
    void intake.take(update).then((outcome) => {
      // What was called off stays unconfirmed: the next process gets it again.
      if (outcome === 'called off') return;
      open.delete(id);
      finished.add(id);
      if (open.size === 0) wake();
    });
  };

  /** Hands over to our own store what holds the others up. */
  const setAside = async (olderThanMs: number): Promise<void> => {
    const slow = [...open.values()].filter((each) => clock.now() - each.since >= olderThanMs);
    if (slow.length === 0) return;
    await intake.keep(slow.map((each) => each.update));
    for (const { update } of slow) if (open.delete(update.update_id)) finished.add(update.update_id);
  };

  /** `inTrouble`: answered at once, so that it shows at once that all is well again. */
  const fetchOnce = async (stop: AbortSignal, inTrouble: boolean): Promise<number> => {
    const from = offset();
    for (const id of finished) if (from !== undefined && id < from) finished.delete(id);
    const updates = await options.call(
      'getUpdates',
      (raw, signal) =>
        raw.getUpdates(
          {
            ...defined({ offset: from }),
            limit: batch,
            timeout: open.size > 0 || inTrouble ? 0 : longPollSeconds,
            allowed_updates: allowedUpdates,
          },
          signal,
        ),
      { timeoutMs: pollTimeoutMs, signal: stop },
    );
    if (from !== undefined) intake.confirmed(from);
    const fresh = updates.filter(({ update_id: id }) => !open.has(id) && !finished.has(id));
    for (const update of fresh) begin(update);
    const last = updates.at(-1);
    if (last) next = last.update_id + 1;
    // Telegram gives no more before some of these are confirmed: whoever comes behind them does not wait for that.
    if (updates.length === batch && fresh.length === 0) await setAside(0);
    return fresh.length;
  };

  return {
    async run(stop) {
      let failures = 0;
      let quiet = 0;
      while (!stop.aborted) {
        try {
          const news = await fetchOnce(stop, failures > 0);
          failures = 0;
          options.trouble(undefined);
          await setAside(slowMs);
          quiet = news > 0 ? 0 : quiet + 1;
          if (open.size > 0) await pause(pausesMs[Math.min(quiet, pausesMs.length - 1)] ?? 250, stop);
          while (intake.overload() !== undefined && !stop.aborted) await pause(250, stop);
        } catch (error) {
          if (stop.aborted) return;
          failures += 1;
          options.trouble(troubleWords(error, failures));
          const wait = error instanceof TelegramFault ? error.retryAfterMs : 0;
          await pause(Math.max(wait, backoff(failures, 500, longestBackoffMs)), stop);
        }
      }
    },
  };
};

export const troubleWords = (error: unknown, failures: number): string | undefined => {
  if (isFault(error, 'conflict'))
    return 'Telegram: another process receives updates with the same TELEGRAM_TOKEN (409). Stop it, or use another bot.';
  if (isFault(error, 'unauthorized'))
    return 'Telegram: TELEGRAM_TOKEN is not accepted. Get a valid one from @BotFather.';
  // It is there and says no: to a webhook's address that it cannot resolve, for one.
  if (isFault(error, 'refused'))
    return error.method === 'setWebhook' ? `${error.message}. Check TELEGRAM_WEBHOOK_URL.` : error.message;
  return failures < 3 ? undefined : 'Telegram cannot be reached. Check the network and TELEGRAM_API_URL.';
};
