import { z } from 'zod';
import { keepLatest } from '../../base/keep-latest.ts';
import type { KeyValue } from '../../base/key-value.ts';
import { PLATFORMS, type Place } from '../../command/place.ts';
import { createBlockedWords } from './blocked-words.ts';

const place = z.object({
  platform: z.enum(PLATFORMS),
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
const NO_RULES: Rules = { blocked: [], bannedWords: [] };
/** Replaces the rules at the former id of a community. */
const pointer = z.object({ movedTo: z.string() });

/**
 * When a damaged record is set aside, its blocked people and words are lost: the community is paused until a moderator
 * resumes it. A direct chat has neither moderators nor blocked people.
 */
export const ruleRecords = {
  insteadOf: (community: string): Rules | undefined =>
    community.includes(':dm:') ? undefined : { ...NO_RULES, paused: { reason: '', lost: true } },
  isValid: (_: string, value: unknown): boolean => z.union([pointer, record]).safeParse(value).success,
};

interface Found {
  /** The present id of the community. */
  readonly community: string;
  readonly rules: Rules;
  readonly isBlocked: (user: string) => boolean;
  readonly blockedWordIn: (text: string) => string | undefined;
}

/** Few, because each can have thousands of people and hundreds of words. */
const MAX_CACHED = 100;

/** Cached, because every command reads its community's rules several times; only this process writes them. */
export function createRuleStore(records: KeyValue) {
  const cached = new Map<string, Found>();
  let writes = 0;

  const read = async (community: string): Promise<Found> => {
    const stored: unknown = await records.get(community);
    const moved = pointer.safeParse(stored);
    if (moved.success) return read(moved.data.movedTo);
    const rules = record.safeParse(stored).data ?? NO_RULES;
    const blocked = new Set(rules.blocked.map(({ user }) => user));
    let blockedWordIn: Found['blockedWordIn'] | undefined;
    return {
      community,
      rules,
      isBlocked: (user) => blocked.has(user),
      // Prepared on first use: most commands have no text.
      blockedWordIn(text) {
        blockedWordIn ??= createBlockedWords(rules.bannedWords);
        return blockedWordIn(text);
      },
    };
  };

  return {
    async find(community: string): Promise<Found> {
      const known = cached.get(community);
      if (known !== undefined) return known;
      const before = writes;
      const found = await read(community);
      // Not cached when something was written meanwhile: it may be outdated.
      if (before === writes) cached.set(community, found);
      keepLatest(cached, MAX_CACHED);
      return found;
    },
    async write(community: string, rules: Rules | z.infer<typeof pointer>): Promise<void> {
      try {
        await records.set(community, rules);
      } finally {
        writes += 1;
        // Under its present and its former ids.
        for (const [id, found] of cached) if (found.community === community) cached.delete(id);
      }
    },
  };
}
