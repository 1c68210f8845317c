import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { Log } from '../../../log/log.ts';
import type { Calls } from '../api/api.ts';
import { retryLater } from '../api/retry-later.ts';
import type { Menu } from './commands.ts';

const key = 'telegram:menu';

/** Registers the menus if they changed. */
export const registerMenus = async (
  menus: readonly Menu[],
  options: {
    readonly bot: number;
    readonly call: Calls;
    readonly clock: Clock;
    readonly state: KeyValue;
    readonly log: Log;
    readonly stop: AbortSignal;
  },
): Promise<void> => {
  const hash = createHash('sha256')
    .update(JSON.stringify([options.bot, menus]))
    .digest('hex');
  try {
    if ((await options.state.get<string>(key)) === hash) return;
    for (const menu of menus)
      await retryLater(
        () => options.call('setMyCommands', (raw, signal) => raw.setMyCommands({ ...menu }, signal)),
        options.clock,
        { signal: options.stop },
      );
    await options.state.set(key, hash);
    options.log.info({ menus: menus.length }, 'command menus registered with Telegram');
  } catch (error) {
    if (options.stop.aborted) return;
    // Commands work without a menu; the next start tries again.
    options.log.warn({ err: error }, 'command menus could not be registered with Telegram');
  }
};
