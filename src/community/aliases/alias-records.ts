import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { createBackgroundCache } from '../brief-cache.ts';
import { createListPerCommunity } from '../moving-record.ts';

/**
 * The record of an alias: its name, the service's id and the model type. Only the service knows for certain to which filter
 * the alias points. A change is stored (`making`, `deleting`) before the service is called, so that it can be finished after
 * a crash.
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
    /** The filter to which the alias pointed when we last knew; used for its preview only. */
    filter: z.string().exactOptional(),
    /** The filter to which we pointed the alias last. After a restore it may point to another one. */
    pointed: z.string().exactOptional(),
  }),
]);

export type AliasRecord = z.infer<typeof record>;
type Made = z.infer<typeof listOfMade>[number];
export type NamedAlias = Extract<AliasRecord, { id: string }>;

export type AliasRecords = ReturnType<typeof createAliasRecords>;

/** The prefix of the key of an alias's last change; the service's id of the alias follows. */
const CHANGE_PREFIX = '*changed:';
/** The prefix of the key of a list of aliases that a person has made; the person follows. */
const MAKER_PREFIX = '*made:';
const MAKER_KEPT_MS = 400 * 24 * 60 * 60_000;
const listOfMade = z.array(z.object({ community: z.string(), name: z.string() }));

/** Tells the store whether a record of aliases is valid. */
export const aliasRecordRules = {
  isValid(key: string, value: unknown): boolean {
    if (key.startsWith(CHANGE_PREFIX)) return typeof value === 'string';
    if (key.startsWith(MAKER_PREFIX)) return listOfMade.safeParse(value).success;
    // Earlier versions kept an index under this key.
    return key === '*communities' || z.array(record).safeParse(value).success;
  },
};

const byName = (a: AliasRecord, b: AliasRecord): number => a.name.localeCompare(b.name);

function isSame(a: AliasRecord, b: AliasRecord): boolean {
  if ('id' in a) return 'id' in b && a.id === b.id;
  return a.state === b.state && a.name === b.name && a.filter === b.filter;
}

const LONGEST_NAME = 32;
/** Finds a free name: one that is taken becomes `name-2`. */
function freeName(name: string, taken: readonly AliasRecord[]): string {
  let free = name;
  for (let count = 2; taken.some((alias) => alias.name === free); count += 1) {
    const tail = `-${count}`;
    free = `${name.slice(0, LONGEST_NAME - tail.length)}${tail}`;
  }
  return free;
}

/** Keeps the aliases of communities in the store. */
export function createAliasRecords(store: Records) {
  const { all, edit, swap, clear, moveAll, listIn } = createListPerCommunity(store, record);
  return {
    all,
    clear,
    /** Lists the communities that have aliases. */
    async communities(): Promise<readonly string[]> {
      const found: string[] = [];
      for await (const [key, value] of store.iterator())
        if (!key.startsWith('*') && listIn(value).length > 0) found.push(key);
      return found;
    },
    find: async (community: string, name: string) =>
      (await all(community)).find((alias) => alias.name === name),
    /**
     * Replaces a record (or removes it, if `after` is undefined), and returns true; returns false if it was changed
     * meanwhile.
     */
    swap: (community: string, before: AliasRecord, after: AliasRecord | undefined): Promise<boolean> =>
      swap(community, [before, after]),
    /** Adds an alias, and returns true; returns false if its name is taken, or its id has a name already. */
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
          // After a crash between the two writes, some of them are there already.
          for (const alias of moved.filter((each) => !there.some((other) => isSame(each, other))))
            merged.push({ ...alias, name: freeName(alias.name, merged) });
          return merged.toSorted(byName);
        }),
      ),
    /** Notes that a person makes an alias; false if they have as many as one person may. */
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
      // Aliases that were deleted meanwhile no longer count.
      const gone: Made[] = [];
      for (const [community, there] of Map.groupBy(noted, (each) => each.community)) {
        const names = new Set((await all(community)).map(({ name }) => name));
        gone.push(...there.filter(({ name }) => !names.has(name)));
      }
      return gone.length > 0 && isNoted(await note(gone));
    },
    /** A value that differs after every change of the alias at the service by any process, for cache keys. */
    lastChange: (id: string): Promise<unknown> => store.get(`${CHANGE_PREFIX}${id}`),
    noteChange: (id: string, keptMs: number): Promise<unknown> =>
      store.set(`${CHANGE_PREFIX}${id}`, randomUUID(), keptMs),
  };
}

export type AliasNames = ReturnType<typeof createAliasNames>;

/** How long names are cached if other processes can change them, too. */
const SHARED_FRESH_MS = 2_000;
/** How long names are cached if only this process changes them, which reads them again after each change. */
const FRESH_MS = 30_000;
const MOST_COMMUNITIES = 2000;

/**
 * Caches the alias names of communities, for suggestions while a user types. `list` reads our own store, never the service.
 */
export function createAliasNames(
  list: (community: string) => Promise<readonly Pick<AliasRecord, 'name' | 'model' | 'filter'>[]>,
  clock: Pick<Clock, 'now'>,
  /** Whether other processes change the names, too. */
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
    /** The cached names; none if they were not loaded yet. */
    peek: (community: string) => names.get(community).value ?? [],
    /** Waits until the names were loaded once. Never throws. */
    load: async (community: string) => names.get(community).loading?.done,
    /** Reloads the names after a change. */
    changed(community: string): void {
      names.forget(community);
      names.get(community);
    },
  };
}
