import type { Api } from 'grammy';
import type { Records } from '../../../base/keyv/records.ts';
import type { ConnectParts } from '../../adapter.ts';
import type { ApiSignal } from './signals.ts';

export interface TelegramConfig {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** Without it, updates come by long polling. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
}

export interface TelegramOptions extends Omit<ConnectParts, 'state'>, TelegramConfig {
  readonly state: Records;
}

/** What every part of the adapter can use. */
export interface TelegramParts extends TelegramOptions {
  readonly api: Api;
  /** The adapter stops. */
  readonly stop: ApiSignal;
}
