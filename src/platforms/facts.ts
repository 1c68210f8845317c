/** What every part of the program may know of a platform. How one is connected is known to its adapter alone. */
export interface PlatformFacts {
  readonly title: string;
  /** Shapes of whole ids. */
  readonly ids: {
    /** Everybody who can write there. */
    readonly speaker: RegExp;
    /** People who can be owners; undefined: none can. */
    readonly owner: RegExp | undefined;
    readonly community: RegExp;
    /** A person who has a direct chat. */
    readonly directChat: RegExp;
  };
  /** For a community's rules a thread counts as its channel, or as a channel of its own. */
  readonly threadsAre: 'part of their channel' | 'channels';
  /** Whether people have roles that can be given an allowance. */
  readonly hasRoles: boolean;
  /** What a restore does with the adapter's records, by the beginning of the key. */
  readonly restore: {
    /** What is true only at the time at which it was written. */
    readonly drops: readonly string[];
    /** Set after a restore: the platform may deliver again what was handled after the backup. */
    readonly mark?: string;
  };
}

/** One row for each platform, by the name that is stored. */
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
      /** `speaker` includes channels and anonymous administrators. Groups have negative ids. */
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
