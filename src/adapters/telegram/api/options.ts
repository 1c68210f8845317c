import type { Api } from 'grammy';
import type { Records } from '../../../base/keyv/records.ts';
import type { AdapterDependencies } from '../../adapter.ts';
import type { ApiSignal } from './signals.ts';

/** The configuration that `connection.ts` reads from the settings. */
export interface TelegramConfig {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** If set, updates arrive by webhook, else by long polling. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
}

/** Configuration and parts of the program from which the adapter is made. */
export interface TelegramOptions extends Omit<AdapterDependencies, 'state'>, TelegramConfig {
  readonly state: Records;
}

/** The dependencies that most parts of the adapter share. */
export interface TelegramDependencies extends TelegramOptions {
  readonly api: Api;
  /** Aborts when the adapter stops. */
  readonly stop: ApiSignal;
}
