/** Who speaks, where, and which message is theirs. Plain data: all of it is written into job records. */

export const platforms = ['discord', 'telegram', 'web'] as const;
export type Platform = (typeof platforms)[number];

export interface Caller {
  readonly platform: Platform;
  readonly id: string;
  /** As the platform shows it: hostile text, for display only. */
  readonly name: string;
  /** BCP 47 tag as the platform gave it; words are chosen by it. */
  readonly locale: string;
}

export interface Place {
  readonly platform: Platform;
  /**
   * The community whose names, settings and allowance apply: `discord:<guild>`, `telegram:<chat>`,
   * `web:<room>`; in a direct message the caller's own, `<platform>:dm:<user>`.
   */
  readonly community: string;
  /** The channel or chat in which the answer appears. */
  readonly channel: string;
  /** A Telegram topic or a Discord thread, where the platform needs it for sending. */
  readonly thread?: string;
  readonly direct: boolean;
}

/** One message of the bot's. Only the adapter of its platform reads `ref` (JSON of its own making). */
export interface CardRef {
  readonly platform: Platform;
  readonly ref: string;
}

/**
 * Whoever speaks as a channel cannot be told from others who do: in one chat all of them share this id, and with it one
 * allowance and one block. Otherwise every channel that somebody makes would be another person.
 */
export const channelSpeakerId = (chat: string | number): string => `channel:${chat}`;

/** Of what nobody in particular asked for: anybody there may go on with it, under their own name. */
export const isChannelSpeaker = (personOrId: string): boolean => /^(?:[a-z]+:)?channel:/.test(personOrId);

/** The key of a person across all records: ids of two platforms never meet. */
export const personKey = (caller: Pick<Caller, 'platform' | 'id'>): string =>
  `${caller.platform}:${caller.id}`;

/** The community of somebody's direct chat, see `Place`. */
export const directCommunity = (person: string): string => person.replace(':', ':dm:');
