import { z } from 'zod';
import { factsOf, PLATFORMS, type Platform } from '../platforms/platforms.ts';

/** Who sent something, where, and which message belongs to it. Plain data, stored in job records. */

export const callerShape = z.object({
  platform: z.enum(PLATFORMS),
  id: z.string(),
  /** As the platform shows it: untrusted text, for display only. */
  name: z.string(),
  /** BCP 47 tag from the platform; selects the language. Empty where the platform sends none. */
  locale: z.string(),
});
/** The person who sent an event. */
export type Caller = Readonly<z.infer<typeof callerShape>>;

export const placeShape = z.object({
  platform: z.enum(PLATFORMS),
  /**
   * The community whose names, settings and allowance apply: `discord:<guild>`, `telegram:<chat>`,
   * `web:<room>`; in a direct message the caller's own, `<platform>:dm:<user>`.
   */
  community: z.string(),
  /** The channel or chat in which the answer appears. */
  channel: z.string(),
  /** A Telegram topic or a Discord thread, where the platform needs it for sending. */
  thread: z.string().exactOptional(),
  /** The channel that a Discord thread belongs to. */
  parent: z.string().exactOptional(),
  direct: z.boolean(),
});
/** The place of an event: its platform, community, channel and thread. */
export type Place = Readonly<z.infer<typeof placeShape>>;

const hasThreadsInChannels = ({ platform }: Pick<Place, 'platform'>): boolean =>
  factsOf(platform).threadsAre === 'part of their channel';

/** Whether both count as one channel for a community's rules: a Discord thread counts as its channel, a Telegram topic by itself. */
export function isSameChannel(one: Place, other: Place): boolean {
  return (
    (one.parent ?? one.channel) === (other.parent ?? other.channel) &&
    (hasThreadsInChannels(one) || one.thread === other.thread)
  );
}

/** The channel in a community's rules: a Discord thread counts as its channel, a Telegram topic by its number. */
export const channelId = ({ platform, channel, parent, thread }: Place): string =>
  hasThreadsInChannels({ platform }) ? (parent ?? channel) : (thread ?? channel);

/** One message of the bot. Only its platform's adapter reads `ref` (its own JSON). */
export interface CardRef {
  readonly platform: Platform;
  readonly ref: string;
}

/**
 * People who write as a channel cannot be distinguished: in one chat they share this id, and so one allowance and one
 * block. Otherwise each new channel would be another person.
 */
export const channelSpeakerId = (chat: string | number): string => `channel:${chat}`;

/** Whether it is such a shared id: anybody there may continue its drafts and press the buttons of its jobs, under their own name. */
export const isChannelSpeaker = (personOrId: string): boolean => /^(?:[a-z]+:)?channel:/.test(personOrId);

/** Several people may speak under this id: as a channel, or as an anonymous administrator. */
export const isSharedSpeaker = (person: string): boolean => /^[a-z]+:(?:channel|anonymous):/.test(person);

/** The key of a person in all records; unique across platforms. */
export const personKey = (caller: Pick<Caller, 'platform' | 'id'>): string =>
  `${caller.platform}:${caller.id}`;

/**
 * Who takes turns with others, and whose share and limits count. All shared speakers are one: a person with many groups is
 * another anonymous administrator in each. Credits, blocks and records are of the person (`personKey`).
 */
export function turnKey(caller: Pick<Caller, 'platform' | 'id'>): string {
  const person = personKey(caller);
  return isSharedSpeaker(person) ? 'shared speakers' : person;
}

/** A person's own community: their direct chat, or a server that did not install the bot. */
export const isPersonal = (community: string): boolean => /^[a-z]+:dm:/.test(community);

/** The community of a person's direct chat, see `Place`. */
export const directCommunity = (person: string): string => person.replace(':', ':dm:');

/** A Discord role where a person can be named, too: no id of a person has this form. */
export const roleKey = (role: string): string => `role:${role}`;

/** The Discord role in a key that `roleKey` made; undefined: the key is a person's. */
export const roleIn = (who: string): string | undefined => /^role:(\d{1,20})$/.exec(who)?.[1];
