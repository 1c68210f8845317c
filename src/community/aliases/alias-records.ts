import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { createBackgroundCache } from '../brief-cache.ts';
import { createCommunityLists } from '../moving-record.ts';

/**
 * An alias of a community: its name, the service's id and the model type; only the service knows the filter for certain. A change is
 * stored here (`making`, `deleting`) before the service is called, so that it can be finished after a crash.
 */
const record = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('making'),
    name: z.string(),
    model: z.enum(['face', 'group']),
    filter: z.string(),
    since: z.number(),
  }),
  z.object({
    state: z.enum(['ready', 'deleting']),
    name: z.string(),
    model: z.enum(['face', 'group']),
    id: z.string(),
    /** The filter that it pointed to when we last knew, for its preview only. */
    filter: z.string().exactOptional(),
    /** The filter that we pointed it to last. After a restore the alias may point to another one. */
    pointed: z.string().exactOptional(),
  }),
]);

export type AliasRecord = z.infer<typeof record>;
type Made = z.infer<typeof listOfMade>[number];
export type NamedAlias = Extract<AliasRecord, { id: string }>;

export type AliasRecords = ReturnType<typeof createAliasRecords>;

/** Followed by the service's id of an alias. */
const CHANGE_PREFIX = '*changed:';
/** Followed by a person: the aliases that they have made. */
const MAKER_PREFIX = '*made:';
const MAKER_KEPT_MS = 400 * 24 * 60 * 60_000;
const listOfMade = z.array(z.object({ community: z.string(), name: z.string() }));

/** What the store must know about these records. */
export const aliasRecords = {
  isValid(key: string, value: unknown): boolean {
    if (key.startsWith(CHANGE_PREFIX)) return typeof value === 'string';
    if (key.startsWith(MAKER_PREFIX)) return listOfMade.safeParse(value).success;
    // An index that was kept before.
    return key === '*communities' || z.array(record).safeParse(value).success;
  },
};

const byName = (a: AliasRecord, b: AliasRecord): number => a.name.localeCompare(b.name);

function isSame(a: AliasRecord, b: AliasRecord): boolean {
  if ('id' in a) return 'id' in b && a.id === b.id;
  return a.state === b.state && a.name === b.name && a.filter === b.filter;
}

const LONGEST_NAME = 32;
/** A name that is taken becomes `name-2`. */
function freeName(name: string, taken: readonly AliasRecord[]): string {
  let free = name;
  for (let count = 2; taken.some((alias) => alias.name === free); count += 1) {
    const tail = `-${count}`;
    free = `${name.slice(0, LONGEST_NAME - tail.length)}${tail}`;
  }
  return free;
}

export function createAliasRecords(store: Records) {
  const { all, edit, swap, clear, moveAll, listIn } = createCommunityLists(store, record);
  return {
    all,
    clear,
    /** Those that have any. */
    async communities(): Promise<readonly string[]> {
      const found: string[] = [];
      for await (const [key, value] of store.iterator())
        if (!key.startsWith('*') && listIn(value).length > 0) found.push(key);
      return found;
    },
    find: async (community: string, name: string) =>
      (await all(community)).find((alias) => alias.name === name),
    /** Replaces a record (undefined: removes it), unless it has changed meanwhile. Returns whether it did. */
    swap: (community: string, before: AliasRecord, after: AliasRecord | undefined): Promise<boolean> =>
      swap(community, [before, after]),
    /** Unless its name is taken, or its id has one. Returns whether it did. */
    async add(community: string, added: AliasRecord): Promise<boolean> {
      let isAdded = false;
      await edit(community, (records) => {
        const isTaken = (alias: AliasRecord): boolean =>
          alias.name === added.name || ('id' in alias && 'id' in added && alias.id === added.id);
        isAdded = !records.some(isTaken);
        return isAdded ? [...records, added].toSorted(byName) : undefined;
      });
      return isAdded;
    },
    move: (from: string, to: string): Promise<void> =>
      moveAll(from, (moved) =>
        edit(to, (there) => {
          const merged = [...there];
          // They are there already after a crash between the two writes.
          for (const alias of moved.filter((each) => !there.some((other) => isSame(each, other))))
            merged.push({ ...alias, name: freeName(alias.name, merged) });
          return merged.toSorted(byName);
        }),
      ),
    /** Notes that a person makes an alias; false: as many of theirs exist as one person may have. */
    async noteMaker(person: string, made: Made, most: number): Promise<boolean> {
      const note = async (gone: readonly Made[]): Promise<readonly Made[]> => {
        const isKept = (each: Made): boolean =>
          !isDeepStrictEqual(each, made) && !gone.some((other) => isDeepStrictEqual(each, other));
        const after = await store.update<unknown>(
          `${MAKER_PREFIX}${person}`,
          (stored) => {
            const kept = (listOfMade.safeParse(stored).data ?? []).filter(isKept);
            return kept.length < most ? [...kept, made] : undefined;
          },
          MAKER_KEPT_MS,
        );
        return listOfMade.safeParse(after).data ?? [];
      };
      const isNoted = (list: readonly Made[]): boolean => list.some((each) => isDeepStrictEqual(each, made));
      const noted = await note([]);
      if (isNoted(noted)) return true;
      // Some may have been deleted meanwhile.
      const gone: Made[] = [];
      for (const [community, there] of Map.groupBy(noted, (each) => each.community)) {
        const names = new Set((await all(community)).map(({ name }) => name));
        gone.push(...there.filter(({ name }) => !names.has(name)));
      }
      return gone.length > 0 && isNoted(await note(gone));
    },
    /** Differs after every change of an alias at the service that a process has made lately. */
    lastChange: (id: string): Promise<unknown> => store.get(`${CHANGE_PREFIX}${id}`),
    noteChange: (id: string, keptMs: number): Promise<unknown> =>
      store.set(`${CHANGE_PREFIX}${id}`, randomUUID(), keptMs),
  };
}

export type AliasNames = ReturnType<typeof createAliasNames>;

/** A name that another process changed is suggested rightly after this. */
const SHARED_FRESH_MS = 2_000;
/** What this process changes is read again at once. */
const FRESH_MS = 30_000;
const MOST_COMMUNITIES = 2000;

/** Cached alias names of communities, for suggestions while a user types. `list` reads our own store, never the service. */
export function createAliasNames(
  list: (community: string) => Promise<readonly Pick<AliasRecord, 'name' | 'model' | 'filter'>[]>,
  clock: Pick<Clock, 'now'>,
  /** Whether other processes change them, too. */
  isShared: boolean,
  onError: (error: unknown) => void,
) {
  const freshMs = isShared ? SHARED_FRESH_MS : FRESH_MS;
  const names = createBackgroundCache(list, clock, {
    freshMs: () => freshMs,
    retryMs: freshMs,
    most: MOST_COMMUNITIES,
    onError,
  });
  return {
    peek: (community: string) => names.get(community).value ?? [],
    /** Waits until they were loaded once. Never throws. */
    load: async (community: string) => names.get(community).loading?.done,
    /** Reloads the names after a change. */
    changed(community: string): void {
      names.forget(community);
      names.get(community);
    },
  };
}
