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

/** Every part of the adapter can use these. */
export interface TelegramParts extends TelegramOptions {
  readonly api: Api;
  /** Aborted when the adapter stops. */
  readonly stop: ApiSignal;
}
