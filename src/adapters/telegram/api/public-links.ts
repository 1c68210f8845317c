import type { Clock } from '../../../base/clock.ts';
import type { Adapter } from '../../adapter.ts';
import type { TelegramDependencies } from './options.ts';
import { linkOf } from './refs.ts';
import { limitedTo } from './signals.ts';

const NAME_TIMEOUT_MS = 3_000;
const HOSTS = ['t.me', 'www.t.me', 'telegram.me', 'telegram.dog'];
/** `/name/45`, `/name/TOPIC/45`, and `/s/name/45`, as browsers show public chats. Private chats have `/c/ID/45`: no name is that short. */
const PUBLIC_PATH = /^\/(?:s\/)?(?<name>[a-z]\w{3,31})\/(?:\d{1,20}\/)?(?<message>\d{1,15})\/?$/i;

/** Reads links to messages of public chats, which name the chat by a name that only Telegram can tell the id of. */
export function createReadLink({
  api,
  clock,
}: Pick<TelegramDependencies, 'api'> & { readonly clock: Clock }): NonNullable<Adapter['readLink']> {
  /** Undefined: Telegram does not tell, or it is no group with links. */
  const resolved = async (name: string, message: number): Promise<string | undefined> => {
    try {
      const { id } = await limitedTo(clock, NAME_TIMEOUT_MS, (signal) => api.getChat(`@${name}`, signal));
      return linkOf({ chat: id, message });
    } catch {
      return undefined;
    }
  };
  return async (copied) => {
    const url = URL.canParse(copied) ? new URL(copied) : undefined;
    // The number that is left of a comment counts in the group of the channel that the link names, not in the channel.
    if (url === undefined || !HOSTS.includes(url.hostname) || url.searchParams.has('comment'))
      return undefined;
    const { name, message } = PUBLIC_PATH.exec(url.pathname)?.groups ?? {};
    if (name === undefined || message === undefined) return undefined;
    return (await resolved(name, Number(message))) ?? `https://t.me/${name}/${message}`;
  };
}
