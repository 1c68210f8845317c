import { defined } from '../../base/defined.ts';
import type { Connected, ConnectParts } from '../adapter.ts';
import { createTelegramAdapter, type TelegramOptions } from './adapter.ts';
import { telegramRecords } from './records.ts';

const CONFLICT =
  'Another program receives the updates of this Telegram bot: commands get lost or are answered twice. Stop the other program with the same TELEGRAM_TOKEN, or give it another bot. A second Darkroom on another store counts as one.';

export async function connect(
  config: Pick<TelegramOptions, 'token' | 'apiUrl' | 'webhook'>,
  parts: ConnectParts,
): Promise<Connected> {
  const adapter = createTelegramAdapter({
    ...config,
    ...parts,
    state: parts.state(telegramRecords),
    conflicted: () => parts.tellOwners('telegram-conflict', CONFLICT),
  });
  const { webhook: handle } = adapter;
  const webhook = handle && config.webhook && { path: new URL(config.webhook.url).pathname, handle };
  return { adapter, ...defined({ webhook }) };
}
