import { createTestDatabase } from '../../../fakes/postgres.ts';
import { createGenerationService, type GenerationServiceOptions } from '../../../fakes/service/service.ts';
import { createFakeTelegram } from '../../../fakes/telegram/telegram.ts';
import { freePort } from '../../../free-port.ts';
import { createDataFolder, settingsFor } from '../../program.ts';
import { telegramChat } from '../../stage/telegram-chat.ts';
import { type Programs, startPrograms } from './programs.ts';

/** What several programs need: a PostgreSQL, Telegram and the service. All that is opened is closed with `opened`. */
export async function stagePrograms(opened: AsyncDisposableStack, options: GenerationServiceOptions = {}) {
  const folder = createDataFolder();
  opened.defer(() => folder.remove());
  const database = opened.use(await createTestDatabase());
  const telegram = await createFakeTelegram({ flood: 'off' });
  opened.defer(telegram.stop);
  const service = await createGenerationService(options);
  opened.defer(service.close);
  return {
    database,
    service,
    chat: telegramChat(telegram),
    async start(count: number, env: Readonly<Record<string, string>>): Promise<Programs> {
      const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
      const programs = startPrograms(ports, folder.path, {
        STORE_URL: database.url,
        ...settingsFor(service, telegram),
        GENERATION_API_KEY: service.apiKey,
        GENERATION_TOKEN: service.token,
        CONSENT: 'off',
        ...env,
      });
      opened.defer(programs.stop);
      await programs.ready();
      return programs;
    },
  };
}
