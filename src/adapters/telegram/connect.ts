import { defined } from '../../base/defined.ts';
import type { Connected, ConnectParts } from '../adapter.ts';
import { createTelegramAdapter } from './adapter.ts';
import type { TelegramOptions } from './api/api.ts';
import { telegramRecords } from './records.ts';

export async function connect(
  config: Pick<TelegramOptions, 'token' | 'apiUrl' | 'webhook'>,
  parts: ConnectParts,
): Promise<Connected> {
  const adapter = createTelegramAdapter({ ...config, ...parts, state: parts.state(telegramRecords) });
  const { webhook: handle } = adapter;
  const webhook = handle && config.webhook && { path: new URL(config.webhook.url).pathname, handle };
  return { adapter, ...defined({ webhook }) };
}
