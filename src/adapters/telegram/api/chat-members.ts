import { defined } from '../../../base/defined.ts';
import type { Place } from '../../../command/place.ts';
import { shorten } from '../../../command/shorten.ts';
import type { Adapter } from '../../adapter.ts';
import { anonymousId, personName } from './caller-and-place.ts';
import type { Migrations } from './chat-migrations.ts';
import { isFault } from './fault.ts';
import type { TelegramDependencies } from './options.ts';
import { personOf } from './refs.ts';
import { retryLater } from './retry-later.ts';
import { limitedTo } from './signals.ts';

/** The longest pause that Telegram may ask for before a lookup fails, because a person waits for the answer. */
const MOST_PAUSE_MS = 10_000;
const NAME_TIMEOUT_MS = 3_000;
const LONGEST_TITLE = 128;
export const ADMIN_STATUSES: readonly string[] = ['creator', 'administrator'];

const chatOf = ({ community }: Place): number =>
  Number(/^telegram:(-?\d+)$/.exec(community)?.[1] ?? Number.NaN);

export const shortTitle = (title: string): string => shorten(title, LONGEST_TITLE);

/** Asks Telegram about groups and their members, each time anew. */
export function createChatMembers(
  parts: Pick<TelegramDependencies, 'api' | 'clock'> & { readonly migrations: Migrations },
): Required<Pick<Adapter, 'isMember' | 'isModerator' | 'personName' | 'communityInfo'>> {
  const { api, clock, migrations } = parts;
  /** Runs a lookup in a group, and again with the new id if the group has become a supergroup. */
  const inGroup = <T>(chat: number, ask: (chat: number) => Promise<T>): Promise<T> =>
    retryLater(() => migrations.follow(chat, ask), clock, { mostMs: MOST_PAUSE_MS });

  const isAdministrator = async (chat: number, user: number): Promise<boolean> => {
    try {
      const { status } = await api.getChatMember(chat, user);
      return ADMIN_STATUSES.includes(status);
    } catch (error) {
      // getChatMember is only guaranteed to work for other people if the bot is an administrator.
      if (!isFault(error, 'refused', 'gone')) throw error;
      const all = await api.getChatAdministrators(chat);
      return all.some((member) => member.user.id === user);
    }
  };

  return {
    /** Whether the person is in the group and may write there; false where Telegram does not say. */
    async isMember(caller, place) {
      const chat = chatOf(place);
      const user = personOf(caller);
      if (!Number.isSafeInteger(chat) || user === undefined) return false;
      try {
        const member = await inGroup(chat, (now) => api.getChatMember(now, user));
        if (member.status === 'restricted') return member.is_member && member.can_send_messages;
        return !['left', 'kicked'].includes(member.status);
      } catch (error) {
        if (!isFault(error, 'gone', 'refused')) throw error;
        // A group that has removed the bot answers "forbidden" for everybody, and refuses the bot's messages anyway.
        return error.isForbidden;
      }
    },
    async isModerator(caller, place) {
      const chat = chatOf(place);
      if (caller.platform !== 'telegram' || place.direct || !Number.isSafeInteger(chat)) return false;
      // This id was given to a message that Telegram marked as an anonymous administrator's, and belongs to no person.
      if (caller.id === anonymousId(chat)) return true;
      const user = personOf(caller);
      if (user === undefined) return false;
      try {
        return await inGroup(chat, (now) => isAdministrator(now, user));
      } catch (error) {
        if (isFault(error, 'gone', 'refused')) return false;
        throw error;
      }
    },
    /** Asks Telegram for the person's current name, because records hold ids only. */
    async personName(id, place) {
      const chat = Number(place.channel);
      if (!/^\d{1,16}$/.test(id) || !Number.isSafeInteger(chat)) return undefined;
      const member = await migrations.follow(chat, (now) =>
        limitedTo(clock, NAME_TIMEOUT_MS, (signal) => api.getChatMember(now, Number(id), signal)),
      );
      return personName(member.user);
    },
    async communityInfo({ channel }) {
      const chat = Number(channel);
      if (!Number.isSafeInteger(chat)) return undefined;
      return migrations.follow(chat, async (now) => {
        const { title } = await api.getChat(now);
        const members = await api.getChatMemberCount(now).catch(() => undefined);
        return defined({ name: title && shortTitle(title), members });
      });
    },
  };
}
