import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { keepLatest } from '../../base/keep-latest.ts';
import type { KeyValue } from '../../base/key-value.ts';
import { settingsShape } from '../../command/community-settings.ts';
import { createBlockedWords } from './blocked-words.ts';

/** `formerly`: the ids that it had before. */
export const rulesShape = settingsShape.extend({ formerly: z.array(z.string()).exactOptional() });
export type Rules = z.infer<typeof rulesShape>;
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
  isValid: (_: string, value: unknown): boolean => z.union([pointer, rulesShape]).safeParse(value).success,
};

interface Found {
  /** The present id of the community. */
  readonly community: string;
  readonly rules: Rules;
  readonly isBlocked: (user: string) => boolean;
  readonly blockedWordIn: (text: string) => string | undefined;
}

/** Those who ask at the same time share one read. */
interface Cached {
  readonly found: Promise<Found>;
  readonly until: number;
  /** Known when it was read. */
  present: string | undefined;
}

/** Few, because each can have thousands of people and hundreds of words. */
const MAX_CACHED = 100;
/** What a moderator changes through another process is obeyed after this. */
const FRESH_MS = 1_000;

function movedTo(stored: unknown): string | undefined {
  return pointer.safeParse(stored).data?.movedTo;
}
function rulesIn(stored: unknown): Rules {
  return rulesShape.safeParse(stored).data ?? NO_RULES;
}

/** Cached for a moment, because every command reads its community's rules several times. */
export function createRuleStore(records: KeyValue, now: () => number) {
  const cached = new Map<string, Cached>();

  const read = async (community: string): Promise<Found> => {
    const stored: unknown = await records.get(community);
    const moved = movedTo(stored);
    if (moved !== undefined) return read(moved);
    const rules = rulesIn(stored);
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

  const update = async (
    community: string,
    edit: (stored: unknown) => Rules | z.infer<typeof pointer> | undefined,
  ): Promise<void> => {
    try {
      await records.update<unknown>(community, edit);
    } finally {
      // Under its present and its former ids, and whatever may have been read before this.
      for (const [id, { present }] of cached)
        if (id === community || present === undefined || present === community) cached.delete(id);
    }
  };

  return {
    async find(community: string): Promise<Found> {
      const known = cached.get(community);
      if (known !== undefined && now() < known.until) return known.found;
      const entry: Cached = { found: read(community), until: now() + FRESH_MS, present: undefined };
      cached.delete(community);
      cached.set(community, entry);
      keepLatest(cached, MAX_CACHED);
      try {
        entry.present = (await entry.found).community;
      } catch (error) {
        if (cached.get(community) === entry) cached.delete(community);
        throw error;
      }
      return entry.found;
    },
    /** `edit` may be called several times. If it throws, nothing is changed. */
    async change(named: string, edit: (rules: Rules) => Rules): Promise<void> {
      let moved: string | undefined = named;
      while (moved !== undefined) {
        await update(moved, (stored) => {
          moved = movedTo(stored);
          return moved === undefined ? edit(rulesIn(stored)) : undefined;
        });
      }
    },
    /** The present id goes last: it knows the others. Of its rules those stay that `keep` returns. */
    async forget(
      present: string,
      others: readonly string[],
      keep: (rules: Rules) => Partial<Rules>,
    ): Promise<void> {
      for (const id of others) await records.delete(id);
      const kept = keep(rulesIn(await records.get(present)));
      if (Object.keys(kept).length === 0) await records.delete(present);
      else await update(present, () => ({ ...NO_RULES, ...kept }));
      cached.clear();
    },
    /** `edit` makes the rules under the new id from those under the old one and those that are there. */
    async move(from: string, to: string, edit: (rules: Rules, there: Rules) => Rules): Promise<void> {
      for (let isRepeated = false; ; isRepeated = true) {
        const moved: unknown = await records.get(from);
        if (movedTo(moved) !== undefined) return;
        await update(to, (there) => {
          const rules = rulesIn(there);
          // Moved already, by another process or before a crash; the rules there may have been changed since.
          if (!isRepeated && rules.formerly?.includes(from)) return undefined;
          return edit(moved === undefined ? rules : rulesIn(moved), rules);
        });
        let isOver = false;
        await update(from, (stored) => {
          // Otherwise somebody changed the rules while they were moved.
          isOver = movedTo(stored) !== undefined || isDeepStrictEqual(stored, moved);
          return isOver ? { movedTo: to } : undefined;
        });
        if (isOver) return;
      }
    },
  };
}
