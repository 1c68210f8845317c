import type { AdapterOptions } from '../../adapter.ts';
import { registerChanged } from '../../register-changed.ts';
import type { Calls } from '../api/api.ts';
import { retryLater } from '../api/retry-later.ts';
import type { Menu } from './commands.ts';

/** Registers the menus if they changed. */
export async function registerMenus(
  menus: readonly Menu[],
  options: Pick<AdapterOptions, 'clock' | 'state' | 'log'> & {
    readonly bot: number;
    readonly call: Calls;
    readonly stop: AbortSignal;
  },
): Promise<void> {
  const { call, clock, log, stop } = options;
  const register = async (): Promise<void> => {
    for (const menu of menus) await retryLater(() => call('setMyCommands', menu), clock, { signal: stop });
  };
  try {
    const isNew = await registerChanged(options.state, 'telegram:menu', [options.bot, menus], register);
    if (isNew) log.info({ menus: menus.length }, 'command menus registered with Telegram');
  } catch (error) {
    if (stop.aborted) return;
    // Commands work without a menu; the next start tries again.
    log.warn({ err: error }, 'command menus could not be registered with Telegram');
  }
}
