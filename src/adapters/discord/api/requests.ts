import {
  DefaultRestOptions,
  type RawFile,
  REST,
  type RESTOptions,
  RequestMethod,
  type RouteLike,
} from 'discord.js';
import { type Clock, sleep } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { DiscordProblem, tokenRefused, toProblem } from './fault.ts';

export interface Ask {
  /** For errors: "edit a card". */
  readonly doing: string;
  readonly method: keyof typeof methods;
  readonly route: RouteLike;
  readonly query?: URLSearchParams;
  readonly body?: unknown;
  readonly files?: readonly RawFile[];
  /** It may be sent again when it is not known whether it took effect. */
  readonly repeatable: boolean;
  /** Milliseconds for one attempt, and for all of them with the pauses between. */
  readonly withinMs?: number;
  readonly patienceMs?: number;
}

/** Discord over REST: as the bot, or with the token of one interaction. Neither needs the gateway. */
export interface Requests {
  asBot(ask: Ask): Promise<unknown>;
  withToken(ask: Ask): Promise<unknown>;
  /** Why the bot's own requests fail at the moment, if Discord refuses its token. */
  refused(): string | undefined;
}

const methods = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PATCH: RequestMethod.Patch,
  PUT: RequestMethod.Put,
  DELETE: RequestMethod.Delete,
};

const ATTEMPTS = 4;
/** What to wait when Discord says "too many" but not for how long. */
const PAUSE = 1_000;
/** After a refused token: 10,000 refusals in ten minutes and Discord bans the address. */
const REFUSED_PAUSE = 60_000;

/** The library repeats a 429 that names no time without any pause: such answers are given one here. */
const politely: RESTOptions['makeRequest'] = async (url, init) => {
  const response = await DefaultRestOptions.makeRequest(url, init);
  const after = Number(response.headers.get('Retry-After') ?? Number.NaN);
  if (response.status === 429 && !(after > 0)) response.headers.set('Retry-After', String(PAUSE / 1000));
  return response;
};

/**
 * `retries: 0`: the library would repeat a POST that may have taken effect. `rejectOnRateLimit`: it would wait for
 * minutes without saying so; who asked decides how long waiting makes sense.
 */
export const restOptions = (apiUrl: string | undefined): Partial<RESTOptions> => ({
  ...(apiUrl === undefined ? {} : { api: apiUrl.replace(/\/+$/, '') }),
  retries: 0,
  timeout: 120_000,
  makeRequest: politely,
  // One queue is made for every interaction: swept each minute, not each hour.
  handlerSweepInterval: 60_000,
});

export const createRequests = (options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
}): Requests => {
  const { clock } = options;
  const common = { ...restOptions(options.apiUrl), rejectOnRateLimit: () => true };
  const bot = new REST(common).setToken(options.token);
  // Interaction endpoints are outside the limit of 50 a second; without a token none can be sent or lost here.
  const open = new REST({ ...common, globalRequestsPerSecond: Number.MAX_SAFE_INTEGER });
  let refusedUntil: number | undefined;

  const once = async (rest: REST, ask: Ask): Promise<unknown> => {
    const limit = new AbortController();
    let stop = (): void => {};
    const late = new Promise<never>((_, reject) => {
      stop = clock.after(ask.withinMs ?? 15_000, () => {
        limit.abort();
        reject(new DiscordProblem(ask.doing, 'unknown', 'no answer in time'));
      });
    });
    try {
      const sent = rest.request({
        method: methods[ask.method],
        fullRoute: ask.route,
        auth: rest === bot,
        signal: limit.signal,
        ...defined({ query: ask.query, body: ask.body }),
        ...(ask.files === undefined ? {} : { files: [...ask.files] }),
      });
      sent.catch(() => undefined);
      const answer = await Promise.race([sent, late]);
      // Discord answers with JSON or with nothing: anything else was said by somebody in between.
      if (answer instanceof ArrayBuffer && answer.byteLength > 0)
        throw new DiscordProblem(ask.doing, 'unknown', 'an answer that is not Discord’s');
      return answer;
    } catch (error) {
      throw toProblem(ask.doing, error);
    } finally {
      stop();
    }
  };

  const persist = async (rest: REST, ask: Ask): Promise<unknown> => {
    const until = clock.now() + (ask.patienceMs ?? 20_000);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(rest, ask);
      } catch (error) {
        const problem = toProblem(ask.doing, error);
        const again =
          problem.kind === 'limited' ||
          problem.kind === 'unsent' ||
          (problem.kind === 'unknown' && ask.repeatable);
        const pause =
          problem.kind === 'limited'
            ? Math.max(problem.afterMs, 50)
            : Math.ceil(Math.random() * 250 * 2 ** attempt);
        if (!again || attempt >= ATTEMPTS || clock.now() + pause > until) throw problem;
        await sleep(clock, pause);
      }
    }
  };

  return {
    async asBot(ask) {
      if (refusedUntil !== undefined && clock.now() < refusedUntil)
        throw new DiscordProblem(
          ask.doing,
          'limited',
          'the token is refused',
          401,
          refusedUntil - clock.now(),
        );
      try {
        const answer = await persist(bot, ask);
        refusedUntil = undefined;
        return answer;
      } catch (error) {
        const problem = toProblem(ask.doing, error);
        if (problem.kind !== 'refused' || problem.code !== 401) throw problem;
        // The library forgets the token for ever; the next try after the pause finds out whether it is good again.
        bot.setToken(options.token);
        refusedUntil = clock.now() + REFUSED_PAUSE;
        throw new DiscordProblem(ask.doing, 'limited', 'the token is refused', 401, REFUSED_PAUSE);
      }
    },
    withToken: (ask) => persist(open, ask),
    refused: () => (refusedUntil === undefined ? undefined : tokenRefused),
  };
};
