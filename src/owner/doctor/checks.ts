import type { Finding } from '../../adapters/adapter.ts';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../config/config.ts';
import { checkService } from './service-check.ts';
import { checkStore } from './store-check.ts';

/** Checks everything that can be wrong with an installation. */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  yield* await checkStore(config);
  yield* await checkService(config);
  if (config.discord) {
    const { checkDiscord } = await import('../../adapters/discord/check.ts');
    yield* await checkDiscord(config.discord, systemClock);
  } else yield { name: 'Discord', ok: true, isSkipped: true, detail: 'off (DISCORD_TOKEN is not set)' };
  if (config.telegram) {
    const { checkTelegram } = await import('../../adapters/telegram/check.ts');
    yield* await checkTelegram(config.telegram, systemClock);
  } else yield { name: 'Telegram', ok: true, isSkipped: true, detail: 'off (TELEGRAM_TOKEN is not set)' };
}
