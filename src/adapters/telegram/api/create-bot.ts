import { type ApiClientOptions, Bot, type Context } from 'grammy';
import type { TelegramOptions } from './options.ts';
import { createPost, rootOf } from './post.ts';
import { transformersFor } from './transformers.ts';

/** grammY's own timeout, which does not follow our clock; the timeouts of `limitTime` are shorter. */
const BACKSTOP_SECONDS = 500;

/** Makes a bot whose calls have timeouts, checked answers, and errors that are safe to log. `botInfo` is not fetched yet. */
export function createBot<C extends Context = Context>(
  options: Pick<TelegramOptions, 'token' | 'apiUrl' | 'clock'>,
): Bot<C> {
  const { token, clock } = options;
  const apiRoot = rootOf(options);
  const post = createPost(apiRoot);
  const client: ApiClientOptions = {
    apiRoot,
    timeoutSeconds: BACKSTOP_SECONDS,
    // grammY's own `fetch` follows redirects with the token in the URL, and reads answers of any length.
    // The cast is safe, because grammY uses no more of an answer than `post` returns.
    fetch: post as unknown as NonNullable<ApiClientOptions['fetch']>,
  };
  const bot = new Bot<C>(token, { client });
  // grammY's plugins are not used: auto-retry may repeat a message that has arrived, and transformer-throttler knows neither
  // a person's share nor other processes with the same token. `rate-limits` queues messages, and `retryLater` repeats calls.
  bot.api.config.use(...transformersFor(clock, post, `${apiRoot}/bot${token}`));
  return bot;
}
