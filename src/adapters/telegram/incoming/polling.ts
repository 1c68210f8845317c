import type { Update } from 'grammy/types';
import { backoff } from '../../../base/backoff.ts';
import { type Clock, sleep } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Calls } from '../api/api.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import type { Intake } from './intake.ts';

export const ALLOWED_UPDATES = ['message', 'callback_query', 'my_chat_member'] as const;

const LONG_POLL_SECONDS = 30;
const POLL_TIMEOUT_MS = 45_000;
const BATCH = 100;
/** While updates are unconfirmed Telegram answers at once with the same ones, so polls become less frequent. */
const PAUSES_MS = [15, 25, 50, 100, 250];
/** Between two polls that bring nothing new: a server without long polling answers at once, hundreds of times a second. */
const EMPTY_MS = 500;
/** After this an update is stored, so that it and the ones behind it can be confirmed. */
const SLOW_MS = 5_000;
const LONGEST_BACKOFF_MS = 30_000;
/** Until an update for which there was no room is tried again. */
const FULL_MS = 500;
/** Two pollers interrupt each other in turns: so many conflicts, none longer after the one before, are one trouble. */
const CONFLICTS = 3;
const CALM_MS = 120_000;

interface OpenUpdate {
  readonly update: Update;
  readonly since: number;
}

/**
 * Long polling that confirms an update only when it was handled or stored. grammY's runner confirms as soon as it has
 * fetched, so a kill would lose up to a hundred commands.
 */
export function createPolling(options: {
  readonly call: Calls;
  readonly clock: Clock;
  readonly intake: Intake;
  readonly trouble: (words: string | undefined) => void;
  /** Another program polls with the same token, and goes on. */
  readonly conflicted: () => void;
}) {
  const { clock, intake } = options;
  const open = new Map<number, OpenUpdate>();
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

  const begin = async (update: Update, stop: AbortSignal): Promise<void> => {
    const id = update.update_id;
    open.set(id, { update, since: clock.now() });
    for (;;) {
      const outcome = await intake.take(update).catch(() => 'full' as const);
      // Stays unconfirmed: the next process receives it again.
      if (outcome === 'aborted' || stop.aborted) return;
      if (outcome === 'handled') break;
      await sleep(clock, FULL_MS, stop).catch(() => undefined);
    }
    open.delete(id);
    finished.add(id);
    if (open.size === 0) wake();
  };

  /** Stores slow updates, so that later ones can be confirmed. */
  const storeSlow = async (olderThanMs: number): Promise<void> => {
    const slow = [...open.values()].filter((each) => clock.now() - each.since >= olderThanMs);
    if (slow.length === 0) return;
    if (!(await intake.keep(slow.map((each) => each.update)))) return;
    for (const { update } of slow) if (open.delete(update.update_id)) finished.add(update.update_id);
  };

  /** `inTrouble`: without long polling, so that a recovery shows at once. */
  const fetchOnce = async (stop: AbortSignal, inTrouble: boolean): Promise<number> => {
    const from = offset();
    for (const id of finished) if (from !== undefined && id < from) finished.delete(id);
    const updates = await options.call(
      'getUpdates',
      {
        ...defined({ offset: from }),
        limit: BATCH,
        timeout: open.size > 0 || inTrouble ? 0 : LONG_POLL_SECONDS,
        allowed_updates: ALLOWED_UPDATES,
      },
      { timeoutMs: POLL_TIMEOUT_MS, signal: stop },
    );
    if (from !== undefined) intake.confirmed(from);
    const fresh = updates.filter(({ update_id: id }) => !open.has(id) && !finished.has(id));
    for (const update of fresh) void begin(update, stop);
    const last = updates.at(-1);
    if (last) next = last.update_id + 1;
    // Telegram sends no further updates until some of these are confirmed.
    if (updates.length === BATCH && fresh.length === 0) await storeSlow(0);
    return fresh.length;
  };

  /** Until the signal. */
  return async (stop: AbortSignal): Promise<void> => {
    let failures = 0;
    let emptyPolls = 0;
    let conflicts = 0;
    let conflictAt = Number.NEGATIVE_INFINITY;
    const isCalm = (): boolean => clock.now() - conflictAt >= CALM_MS;
    while (!stop.aborted) {
      try {
        const polledAt = clock.now();
        const received = await fetchOnce(stop, failures > 0);
        failures = 0;
        if (conflicts < CONFLICTS || isCalm()) options.trouble(undefined);
        await storeSlow(SLOW_MS);
        emptyPolls = received > 0 ? 0 : emptyPolls + 1;
        const emptyMs = received > 0 ? 0 : polledAt + EMPTY_MS - clock.now();
        if (open.size > 0) await pause(PAUSES_MS[Math.min(emptyPolls, PAUSES_MS.length - 1)] ?? 250, stop);
        else if (emptyMs > 0) await pause(emptyMs, stop);
        while (intake.overload() !== undefined && !stop.aborted) await pause(250, stop);
      } catch (error) {
        if (stop.aborted) return;
        failures += 1;
        if (isFault(error, 'conflict')) {
          conflicts = isCalm() ? 1 : conflicts + 1;
          conflictAt = clock.now();
          if (conflicts === CONFLICTS) options.conflicted();
        }
        options.trouble(troubleText(error, failures));
        const wait = error instanceof TelegramFault ? error.retryAfterMs : 0;
        const inRow = isCalm() ? failures : Math.max(failures, conflicts);
        await pause(Math.max(wait, backoff(inRow, 500, LONGEST_BACKOFF_MS)), stop);
      }
    }
  };
}

export function troubleText(error: unknown, failures: number): string | undefined {
  if (isFault(error, 'conflict') && error.message.includes('webhook'))
    return 'Telegram: another program has set a webhook with the same TELEGRAM_TOKEN (409). Stop it, then restart Darkroom; or use another bot.';
  if (isFault(error, 'conflict'))
    return 'Telegram: another program receives updates with the same TELEGRAM_TOKEN (409), so each gets only some of them. Stop it, or use another bot.';
  if (isFault(error, 'unauthorized'))
    return 'Telegram: TELEGRAM_TOKEN is not accepted. Get a valid one from @BotFather.';
  // Telegram rejected the call, for example a webhook URL that it cannot resolve.
  if (isFault(error, 'refused'))
    return error.method === 'setWebhook' ? `${error.message}. Check TELEGRAM_WEBHOOK_URL.` : error.message;
  if (failures < 3) return undefined;
  if (error instanceof TelegramFault)
    return 'Telegram cannot be reached. Check the network and TELEGRAM_API_URL.';
  return 'Telegram: updates are left there until the store can be used again.';
}
