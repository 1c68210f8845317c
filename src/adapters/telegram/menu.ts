import { createHash } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { Calls } from './api.ts';
import type { Menu } from './commands.ts';
import type { Memory } from './ledger.ts';

const key = 'telegram:menu';

/** Registers the menus when they are not those that were registered last. */
export const registerMenus = async (
  menus: readonly Menu[],
  options: { readonly bot: number; readonly call: Calls; readonly state: Memory; readonly log: Log },
): Promise<void> => {
  const hash = createHash('sha256')
    .update(JSON.stringify([options.bot, menus]))
    .digest('hex');
  try {
    if ((await options.state.get<string>(key)) === hash) return;
    for (const menu of menus)
      await options.call('setMyCommands', (raw, signal) => raw.setMyCommands({ ...menu }, signal));
    await options.state.set(key, hash);
    options.log.info({ menus: menus.length }, 'command menus registered with Telegram');
  } catch (error) {
    // Commands work without a menu; the next start tries again.
    options.log.warn({ err: error }, 'command menus could not be registered with Telegram');
  }
};
