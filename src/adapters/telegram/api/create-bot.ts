import { type ApiClientOptions, Bot, type Context } from 'grammy';
import type { TelegramOptions } from './options.ts';
import { createPost, rootOf } from './post.ts';
import { transformersFor } from './transformers.ts';

/** grammY's own timeout, which is not on our clock; that of `limitTime` is shorter. */
const BACKSTOP_SECONDS = 500;

/** A bot that knows nothing of itself yet, and whose calls have a timeout, checked answers, and errors that are safe to log. */
export function createBot<C extends Context = Context>(
  options: Pick<TelegramOptions, 'token' | 'apiUrl' | 'clock'>,
): Bot<C> {
  const { token, clock } = options;
  const apiRoot = rootOf(options);
  const post = createPost(apiRoot);
  const client: ApiClientOptions = {
    apiRoot,
    timeoutSeconds: BACKSTOP_SECONDS,
    // grammY's own follows redirects with the token in the URL, and reads answers of any length.
    // grammY uses no more of an answer than `post` returns.
    fetch: post as unknown as NonNullable<ApiClientOptions['fetch']>,
  };
  const bot = new Bot<C>(token, { client });
  // Without grammY's plugins auto-retry, which may repeat a message that has arrived, and transformer-throttler, which knows neither the
  // share of a person nor other processes with the same token: `rate-limits` has what waits, and `retryLater` what is repeated.
  bot.api.config.use(...transformersFor(clock, post, `${apiRoot}/bot${token}`));
  return bot;
}
