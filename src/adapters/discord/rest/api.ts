import { API } from '@discordjs/core/http-only';
import type { InternalRequest, RESTOptions } from 'discord.js';
import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Records } from '../../../base/keyv/records.ts';
import type { AdapterDependencies } from '../../adapter.ts';
import { BoundedRest, type Bounds, RestWithin, requestName } from './bounded-rest.ts';
import { DiscordFault, isRefusedWith, TOKEN_REFUSED } from './fault.ts';
import { InteractionRest } from './interaction-rest.ts';

/** The configuration that `connection.ts` reads from the settings. */
export interface DiscordConfig {
  readonly token: string;
  /** The root of the REST API, which ends in `/api`; default: Discord's own. */
  readonly apiUrl?: string | undefined;
  readonly cdnHosts: readonly string[];
  /** If set, interactions arrive by HTTP and no gateway connection is made. */
  readonly publicKey?: string | undefined;
}

/** The dependencies that most parts of the adapter share. */
export interface DiscordContext extends Pick<AdapterDependencies, 'members' | 'clock' | 'log'> {
  readonly api: DiscordApi;
  /** The adapter's records, except the notes of owed answers. */
  readonly state: Records;
  /** Aborts when the adapter stops. */
  readonly stop: AbortSignal;
}

/**
 * Requests pause this long after a refused token: Discord bans an IP address after 10,000 refused requests in ten minutes.
 */
const REFUSED_TOKEN_PAUSE_MS = 60_000;

/**
 * Sends requests as the bot, or with an interaction's token where `@discordjs/core` says that no bot token is needed (`auth:
 * false`).
 */
class BotRest extends BoundedRest {
  readonly #clock: Clock;
  readonly #token: string;
  readonly #interactions: InteractionRest;
  #refusedUntil: number | undefined;

  constructor(clock: Clock, token: string, options: Partial<RESTOptions>, interactions: InteractionRest) {
    super(clock, options);
    this.#clock = clock;
    this.#token = token;
    this.#interactions = interactions;
    this.setToken(token);
  }

  override async request(request: InternalRequest, bounds?: Bounds): Promise<unknown> {
    if (request.auth === false) return this.#interactions.request(request, bounds);
    const leftMs = (this.#refusedUntil ?? 0) - this.#clock.now();
    if (leftMs > 0) throw pausedFor(request, leftMs);
    try {
      const answer = await super.request(request, bounds);
      this.#refusedUntil = undefined;
      return answer;
    } catch (error) {
      if (!isRefusedWith(error, 401)) throw error;
      // The library drops a refused token, so it is set again for the next attempt.
      this.setToken(this.#token);
      this.#refusedUntil = this.#clock.now() + REFUSED_TOKEN_PAUSE_MS;
      throw pausedFor(request, REFUSED_TOKEN_PAUSE_MS);
    }
  }

  tokenFault(): string | undefined {
    return this.#refusedUntil === undefined ? undefined : TOKEN_REFUSED;
  }
}

const pausedFor = (request: InternalRequest, ms: number): DiscordFault =>
  new DiscordFault(requestName(request), 'rate-limited', 'the token is refused', 401, { retryAfterMs: ms });

/** Discord's REST API with the typed calls of `@discordjs/core`; works without the gateway. */
export class DiscordApi extends API {
  declare readonly rest: BotRest;

  constructor(rest: BotRest) {
    super(rest);
  }

  /** An API whose requests have these bounds instead of the usual ones. */
  within(bounds: Bounds): API {
    return new API(new RestWithin(this.rest, bounds));
  }

  /** The message for the owner while Discord refuses the bot's token. */
  tokenFault(): string | undefined {
    return this.rest.tokenFault();
  }
}

/** Makes the API for requests as the bot, and the REST client that answers interactions. */
export function createApi({ token, apiUrl }: Pick<DiscordConfig, 'token' | 'apiUrl'>, clock: Clock) {
  const options = defined({ api: apiUrl?.replace(/\/+$/, '') });
  const interactions = new InteractionRest(clock, options);
  const rest = new BotRest(clock, token, options, interactions);
  return { api: new DiscordApi(rest), interactions };
}
