import type { Bot } from 'grammy';
import { backoff } from '../../../base/backoff.ts';
import { sleep } from '../../../base/clock.ts';
import { TokenRefused } from '../../adapter.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { ALLOWED_UPDATES, createPolling, troubleText } from './polling.ts';
import type { UpdateInbox } from './update-inbox.ts';

const LONGEST_BACKOFF_MS = 30_000;
/** A process that waits this long for the lock of the poller logs that it stands by. */
const STANDBY_MS = 2_000;
/** The pause between two checks whether Telegram still has our webhook. */
const WEBHOOK_MS = 60_000;
/** The key of the record that `npm run restore` sets; the next start then drops updates that are waiting at Telegram. */
export const RESTORED_KEY = 'telegram:restored';
const WEBHOOK_GONE =
  'Telegram: another program with the same TELEGRAM_TOKEN has removed or replaced the webhook. Stop it, then restart Darkroom; or use another bot.';

/** Connects to Telegram by webhook or long polling, retries until that succeeds, and reports troubles. */
export function createConnection(
  options: Pick<TelegramDependencies, 'clock' | 'log' | 'state' | 'members' | 'stop' | 'webhook'> & {
    readonly bot: Pick<Bot, 'api' | 'botInfo' | 'isInited'>;
    readonly updateInbox: UpdateInbox;
    readonly connected: (bot: number) => void;
    readonly conflicted: () => void;
  },
) {
  const { bot, clock, log, state, members, updateInbox, stop, webhook, conflicted } = options;
  let trouble: string | undefined = 'Telegram: not connected yet.';
  let running: Promise<void> = Promise.resolve();

  const setTrouble = (words: string | undefined): void => {
    if (words !== undefined && words !== trouble) log.warn(words);
    trouble = words;
  };

  const isRestored = async (): Promise<boolean> => (await state.get(RESTORED_KEY)) === true;

  const register = async (): Promise<void> => {
    const dropped = await isRestored();
    // Waiting updates are dropped after a restore, because one that was handled after the backup would be handled again.
    const drop = dropped ? { drop_pending_updates: true } : {};
    if (webhook === undefined) {
      // Telegram refuses polling while a webhook is set.
      await bot.api.deleteWebhook(drop, stop).catch((error: unknown) => {
        // Since the token was accepted, 404 means a Bot API server without webhooks.
        if (!isFault(error, 'unauthorized')) throw error;
      });
    } else {
      const { url, secret } = webhook;
      const subscription = { secret_token: secret, allowed_updates: ALLOWED_UPDATES };
      await bot.api.setWebhook(url, { ...subscription, ...drop }, stop);
    }
    if (dropped) await state.delete(RESTORED_KEY);
  };

  /**
   * Registers under a lock where needed: Telegram refuses several calls of setWebhook at once, and after a restore only one
   * process may drop updates.
   */
  const subscribe = async (): Promise<void> => {
    const isAlone = webhook !== undefined || (await isRestored());
    await (isAlone ? members.hold('telegram-webhook', register, stop) : register());
  };

  const connect = async (): Promise<void> => {
    // `bot.init()` is not used, because it would retry for ever, and on timers of its own.
    if (!bot.isInited()) bot.botInfo = await bot.api.getMe(stop);
    await subscribe();
    await updateInbox.resume();
    setTrouble(undefined);
    const { id, username } = bot.botInfo;
    log.info({ bot: username, by: webhook ? 'webhook' : 'long polling' }, 'connected to Telegram');
    options.connected(id);
  };

  const keepConnecting = async (): Promise<void> => {
    for (let failures = 1; !stop.aborted; failures += 1) {
      await sleep(clock, backoff(failures, 500, LONGEST_BACKOFF_MS), stop).catch(() => undefined);
      if (stop.aborted) return;
      try {
        return await connect();
      } catch (error) {
        setTrouble(troubleText(error, 3));
      }
    }
  };

  /**
   * Polls while this process holds the lock, because Telegram serves only one poller; the next process goes on with
   * unconfirmed updates.
   */
  const poll = async (): Promise<void> => {
    const cancel = clock.after(STANDBY_MS, () =>
      log.info('stands by: another process receives the updates of Telegram'),
    );
    const receiveUpdates = async (ended: AbortSignal): Promise<void> => {
      cancel();
      await createPolling({ api: bot.api, clock, log, updateInbox, trouble: setTrouble, conflicted })(ended);
      // The troubles of this poller are over for this process, which may now stand by.
      setTrouble(undefined);
    };
    await members.hold('telegram-poller', receiveUpdates, stop).finally(cancel);
  };

  /**
   * Checks from time to time that no other program has replaced the webhook: then no updates arrive, and Telegram reports
   * that nowhere else.
   */
  const watchWebhook = async (wanted: string): Promise<void> => {
    for (;;) {
      await sleep(clock, WEBHOOK_MS, stop).catch(() => undefined);
      if (stop.aborted) return;
      const found = await bot.api.getWebhookInfo(stop).catch(() => undefined);
      if (found === undefined) continue;
      const isOurs = found.url === wanted;
      if (!isOurs && trouble !== WEBHOOK_GONE) conflicted();
      setTrouble(isOurs ? undefined : WEBHOOK_GONE);
    }
  };

  const receive = async (): Promise<void> => {
    if (!stop.aborted) await (webhook === undefined ? poll() : watchWebhook(webhook.url));
  };

  return {
    /** Resolves after the first attempt to connect, successful or not; throws if Telegram refuses the token. */
    async start(): Promise<void> {
      try {
        await connect();
        running = receive();
      } catch (error) {
        if (isFault(error, 'unauthorized')) throw new TokenRefused(troubleText(error, 1));
        setTrouble(troubleText(error, 3));
        running = keepConnecting().then(receive);
      }
    },
    ended: () => running,
    trouble: () => trouble,
  };
}
