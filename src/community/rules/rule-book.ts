import type { Keyv } from 'keyv';
import { z } from 'zod';
import { keepLatest } from '../../base/keep-latest.ts';
import { type Place, platforms } from '../../command/place.ts';
import { createBlockedWords } from './blocked-words.ts';

const place = z.object({
  platform: z.enum(platforms),
  community: z.string(),
  channel: z.string(),
  thread: z.string().exactOptional(),
  direct: z.boolean(),
}) satisfies z.ZodType<Place>;

const record = z.object({
  credits: z.number().min(0).exactOptional(),
  paused: z.object({ reason: z.string(), lost: z.literal(true).exactOptional() }).exactOptional(),
  log: place.exactOptional(),
  blocked: z.array(z.object({ user: z.string(), reason: z.string() })),
  bannedWords: z.array(z.string()),
  formerly: z.array(z.string()).exactOptional(),
});
export type Rules = z.infer<typeof record>;
const none: Rules = { blocked: [], bannedWords: [] };
/** Stands where the rules stood before they were moved. */
const pointer = z.object({ movedTo: z.string() });

/**
 * Whom a record that is set aside had blocked, and which words, nobody knows: the community is paused until a moderator
 * has looked. A direct chat has no moderator, and nobody in it to be blocked.
 */
export const ruleRecords = {
  insteadOf: (community: string): Rules | undefined =>
    community.includes(':dm:') ? undefined : { ...none, paused: { reason: '', lost: true } },
  isValid: (_: string, value: unknown): boolean => z.union([pointer, record]).safeParse(value).success,
};

export interface Found {
  /** The id that the community has now. */
  readonly community: string;
  readonly rules: Rules;
  readonly isBlocked: (user: string) => boolean;
  readonly blockedWordIn: (text: string) => string | undefined;
}

/** One record for each community, durable. Nobody else writes them while we run. */
export interface RuleBook {
  find(community: string): Promise<Found>;
  write(community: string, rules: Rules | z.infer<typeof pointer>): Promise<void>;
}

/** Each may have thousands of people and hundreds of words. */
const mostRemembered = 100;

/** Every command asks for its community's rules several times: they are read, and their words understood, once. */
export const createRuleBook = (records: Keyv): RuleBook => {
  const remembered = new Map<string, Found>();
  let writes = 0;

  const read = async (community: string): Promise<Found> => {
    const stored: unknown = await records.get(community);
    const moved = pointer.safeParse(stored);
    if (moved.success) return read(moved.data.movedTo);
    const rules = record.safeParse(stored).data ?? none;
    const blocked = new Set(rules.blocked.map(({ user }) => user));
    let blockedWordIn: Found['blockedWordIn'] | undefined;
    return {
      community,
      rules,
      isBlocked: (user) => blocked.has(user),
      // Most commands have no text.
      blockedWordIn(text) {
        blockedWordIn ??= createBlockedWords(rules.bannedWords);
        return blockedWordIn(text);
      },
    };
  };

  return {
    async find(community) {
      const known = remembered.get(community);
      if (known !== undefined) return known;
      const before = writes;
      const found = await read(community);
      // What was changed meanwhile may have been read before that.
      if (before === writes) remembered.set(community, found);
      keepLatest(remembered, mostRemembered);
      return found;
    },
    async write(community, rules) {
      try {
        await records.set(community, rules);
      } finally {
        writes += 1;
        // Under its own id and under those from which it was moved.
        for (const [id, found] of remembered) if (found.community === community) remembered.delete(id);
      }
    },
  };
};
