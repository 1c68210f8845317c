/** Facts about a platform that every part of the program may know. Only its adapter knows how to connect to it. */
export interface PlatformFacts {
  readonly title: string;
  /** Patterns of ids; each must match the whole id. */
  readonly ids: {
    /** Anybody who can write on the platform. */
    readonly speaker: RegExp;
    /** People who can be owners; undefined: nobody can. */
    readonly owner: RegExp | undefined;
    readonly community: RegExp;
    /** People who can have a direct chat. */
    readonly directChat: RegExp;
  };
  /** Whether a community's rules for a channel apply to its threads, or a thread is a channel of its own. */
  readonly threadsAre: 'part of their channel' | 'channels';
  /** Whether people have roles, to which an allowance can be given. */
  readonly hasRoles: boolean;
  /** How a restore treats the adapter's records, by the beginning of their keys. */
  readonly restore: {
    /** Records that are valid only at the time of the backup. */
    readonly drops: readonly string[];
    /**
     * The record that is set after a restore, because the platform may deliver again events that were handled after the backup.
     */
    readonly mark?: string;
  };
}

/** One row for each platform, by its stored name. */
export const facts = {
  discord: {
    title: 'Discord',
    ids: {
      speaker: /[1-9]\d{0,19}/,
      owner: /[1-9]\d{0,19}/,
      community: /[1-9]\d{0,19}/,
      directChat: /[1-9]\d{0,19}/,
    },
    threadsAre: 'part of their channel',
    hasRoles: true,
    restore: { drops: ['session:', 'commands:'] },
  },
  telegram: {
    title: 'Telegram',
    ids: {
      /** The pattern includes channels and anonymous administrators. Groups have negative ids. */
      speaker: /(?:(?:channel|anonymous):-)?[1-9]\d{0,15}/,
      owner: /[1-9]\d{0,19}/,
      community: /-[1-9]\d{0,15}/,
      directChat: /[1-9]\d{0,15}/,
    },
    threadsAre: 'channels',
    hasRoles: false,
    restore: { drops: ['telegram:kept', 'telegram:menu'], mark: 'telegram:restored' },
  },
  web: {
    title: 'Playground',
    ids: { speaker: /[a-z].*/s, owner: undefined, community: /[a-z]{1,20}/, directChat: /[a-z]{1,20}/ },
    threadsAre: 'channels',
    hasRoles: false,
    restore: { drops: [] },
  },
} as const satisfies Readonly<Record<string, PlatformFacts>>;
