import type { Update } from 'grammy/types';
import { backoff } from '../../../base/backoff.ts';
import { afterAnswersAreSent, sleep } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { createOncePer } from '../../../base/once-per.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { forApi } from '../api/signals.ts';
import type { UpdateInbox } from './update-inbox.ts';

export const ALLOWED_UPDATES = ['message', 'callback_query', 'my_chat_member'] as const;

const LONG_POLL_SECONDS = 30;
const BATCH = 100;
/**
 * The shortest time between two polls without news, because a server without long polling would answer hundreds of times a
 * second.
 */
const EMPTY_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** The pause before the next poll when an update found no room in the inbox. */
const FULL_MS = 500;
/** This many conflicts, each within `CALM_MS` after the last, are reported: two pollers interrupt each other in turns. */
const CONFLICTS = 3;
const CALM_MS = 120_000;

const hasNumber = ({ update_id: id }: Update): boolean => Number.isSafeInteger(id);

/**
 * Long polling that confirms an update only when it was stored. grammY's runner confirms updates as soon as it has fetched
 * them, so a kill would lose up to a hundred commands; `bot.start()` handles one update after the other, so one person would
 * wait for all others.
 */
export function createPolling(
  options: Pick<TelegramDependencies, 'api' | 'clock' | 'log'> & {
    readonly updateInbox: UpdateInbox;
    readonly trouble: (words: string | undefined) => void;
    /** Called when another program keeps polling with the same token. */
    readonly conflicted: () => void;
  },
) {
  const { clock, updateInbox, log } = options;
  const mayLog = createOncePer(clock);
  let next: number | undefined;

  /**
   * Polls once and returns the pause until the next poll. `inTrouble`: polls without waiting, so that a recovery shows at
   * once.
   */
  const fetchOnce = async (stop: AbortSignal, inTrouble: boolean): Promise<number> => {
    const polledAt = clock.now();
    const updates = await options.api.getUpdates(
      {
        ...defined({ offset: next }),
        limit: BATCH,
        timeout: inTrouble ? 0 : LONG_POLL_SECONDS,
        allowed_updates: ALLOWED_UPDATES,
      },
      forApi(stop),
    );
    const readable = updates.filter(hasNumber);
    // An update without a valid number is confirmed together with later ones; until then Telegram repeats it at each poll.
    if (readable.length < updates.length && mayLog('unreadable'))
      log.error('Telegram sent updates without a valid number; they are ignored');
    const outcomes = await Promise.all(readable.map(updateInbox.take));
    const full = readable[outcomes.indexOf('full')];
    const last = readable.at(-1);
    if (last === undefined) return polledAt + EMPTY_MS - clock.now();
    next = full?.update_id ?? last.update_id + 1;
    // The next poll, which confirms these updates, waits until their answers are sent.
    await new Promise<void>(afterAnswersAreSent);
    return full === undefined ? 0 : FULL_MS;
  };

  /** Polls until the signal aborts. */
  return async (stop: AbortSignal): Promise<void> => {
    const pause = (ms: number): Promise<void> => sleep(clock, ms, stop).catch(() => undefined);
    let failures = 0;
    let conflicts = 0;
    let conflictAt = Number.NEGATIVE_INFINITY;
    const isCalm = (): boolean => clock.now() - conflictAt >= CALM_MS;
    while (!stop.aborted) {
      try {
        const pauseMs = await fetchOnce(stop, failures > 0);
        failures = 0;
        if (conflicts < CONFLICTS || isCalm()) options.trouble(undefined);
        if (pauseMs > 0) await pause(pauseMs);
      } catch (error) {
        if (stop.aborted) return;
        failures += 1;
        if (isFault(error, 'conflict')) {
          conflicts = isCalm() ? 1 : conflicts + 1;
          conflictAt = clock.now();
          if (conflicts === CONFLICTS) options.conflicted();
        }
        const words = troubleText(error, failures);
        // A poll that was only interrupted does not clear an earlier trouble.
        if (words !== undefined) options.trouble(words);
        const wait = error instanceof TelegramFault ? error.retryAfterMs : 0;
        const inRow = isCalm() ? failures : Math.max(failures, conflicts);
        await pause(Math.max(wait, backoff(inRow, 500, LONGEST_BACKOFF_MS)));
      }
    }
  };
}

/** The message for the owner about a failed connection; undefined while it may be a passing interruption. */
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
