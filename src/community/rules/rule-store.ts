import { z } from 'zod';
import type { KeyValue } from '../../base/key-value.ts';
import { settingsShape } from '../../command/community-settings.ts';
import { isPersonal } from '../../command/place.ts';
import { createBriefCache } from '../brief-cache.ts';
import { createMovingRecord, isPointer } from '../moving-record.ts';
import { createBlockedWords } from './blocked-words.ts';

/** `formerly`: the ids that it had before. */
export const rulesShape = settingsShape.extend({ formerly: z.array(z.string()).exactOptional() });
export type Rules = z.infer<typeof rulesShape>;
const NO_RULES: Rules = { blocked: [], bannedWords: [] };

/**
 * When a damaged record is set aside, its blocked people and words are lost: the community is paused until a moderator
 * resumes it. A direct chat has neither moderators nor blocked people.
 */
export const ruleRecords = {
  insteadOf: (community: string): Rules | undefined =>
    isPersonal(community) ? undefined : { ...NO_RULES, paused: { reason: '', lost: true } },
  isValid: (_: string, value: unknown): boolean => isPointer(value) || rulesShape.safeParse(value).success,
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
/** What a moderator changes through another process is obeyed after this. */
const FRESH_MS = 1_000;

function rulesIn(stored: unknown): Rules {
  return rulesShape.safeParse(stored).data ?? NO_RULES;
}

/** Cached for a moment, because every command reads its community's rules several times. */
export function createRuleStore(records: KeyValue, now: () => number) {
  const { find, edit, move } = createMovingRecord(records, rulesIn);

  const read = async (named: string): Promise<Found> => {
    const { community, found: rules } = await find(named);
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

  const cached = createBriefCache(read, { now }, { freshMs: FRESH_MS, most: MAX_CACHED, isStrict: true });
  /** Clears the whole cache: other entries may be of its former ids, or older than the change. */
  const forgetting = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } finally {
      cached.clear();
    }
  };

  return {
    find: cached.get,
    /** `change` may be called several times. If it throws, nothing is changed. */
    change: (named: string, change: (rules: Rules) => Rules): Promise<void> =>
      forgetting(edit(named, change)),
    /** The present id goes last: it knows the others. Only the rules that `keep` returns stay. */
    async forget(
      present: string,
      others: readonly string[],
      keep: (rules: Rules) => Partial<Rules>,
    ): Promise<void> {
      for (const id of others) await records.delete(id);
      const kept = keep(rulesIn(await records.get(present)));
      if (Object.keys(kept).length === 0) await records.delete(present);
      else await records.update<unknown>(present, () => ({ ...NO_RULES, ...kept }));
      cached.clear();
    },
    /** `merge` makes the rules under the new id from those under the old one and those that are there. */
    move: (from: string, to: string, merge: (rules: Rules, there: Rules) => Rules): Promise<void> =>
      forgetting(
        move(from, to, (moved, isRepeated) =>
          records.update<unknown>(to, (stored) => {
            const there = rulesIn(stored);
            // Moved already, by another process or before a crash; the rules there may have been changed since.
            if (!isRepeated && there.formerly?.includes(from)) return undefined;
            return merge(moved ?? there, there);
          }),
        ),
      ),
  };
}
