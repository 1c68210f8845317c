import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { KeyValue } from '../../base/key-value.ts';
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

const INDEX_KEY = '*communities';
/** Followed by the service's id of an alias. */
const CHANGE_PREFIX = '*changed:';
/** Followed by a person: the aliases that they have made. */
const MAKER_PREFIX = '*made:';
const MAKER_KEPT_MS = 400 * 24 * 60 * 60_000;
const listOfMade = z.array(z.object({ community: z.string(), name: z.string() }));
const listOfNames = z.array(z.string());

/** What the store must know about these records. */
export const aliasRecords = {
  isValid(key: string, value: unknown): boolean {
    if (key.startsWith(CHANGE_PREFIX)) return typeof value === 'string';
    if (key.startsWith(MAKER_PREFIX)) return listOfMade.safeParse(value).success;
    return (key === INDEX_KEY ? listOfNames : z.array(record)).safeParse(value).success;
  },
};

function byName(a: AliasRecord, b: AliasRecord): number {
  return a.name.localeCompare(b.name);
}

function isSame(a: AliasRecord, b: AliasRecord): boolean {
  if ('id' in a) return 'id' in b && a.id === b.id;
  return a.state === b.state && a.name === b.name && a.filter === b.filter;
}

const MAX_NAME_LENGTH = 32;
/** A name that is taken becomes `name-2`. */
function freeName(name: string, taken: readonly AliasRecord[]): string {
  let free = name;
  for (let count = 2; taken.some((alias) => alias.name === free); count += 1) {
    const tail = `-${count}`;
    free = `${name.slice(0, MAX_NAME_LENGTH - tail.length)}${tail}`;
  }
  return free;
}

export function createAliasRecords(store: KeyValue) {
  const { all: recordsOf, edit: editList, moveAll } = createCommunityLists(store, record);
  /** Communities that have any, for `reconcile` at the start. */
  const communities = async (): Promise<readonly string[]> =>
    listOfNames.safeParse(await store.get(INDEX_KEY)).data ?? [];
  const enlist = async (community: string): Promise<void> => {
    await store.update<unknown>(INDEX_KEY, (stored) => {
      const names = listOfNames.safeParse(stored).data ?? [];
      return names.includes(community) ? undefined : [...names, community];
    });
  };
  const delist = async (community: string): Promise<void> => {
    await store.update<unknown>(INDEX_KEY, (stored) =>
      listOfNames.safeParse(stored).data?.filter((name) => name !== community),
    );
    // One was added meanwhile.
    if ((await recordsOf(community)).length > 0) await enlist(community);
  };
  /** Returns what is stored then. */
  const edit = async (
    community: string,
    change: (records: readonly AliasRecord[]) => readonly AliasRecord[] | undefined,
  ): Promise<readonly AliasRecord[]> => {
    const after = await editList(community, (records) => change(records)?.toSorted(byName));
    if (after.length === 0) await delist(community);
    return after;
  };
  /** The index first: an entry without records is harmless, the reverse would never be reconciled. */
  const add: typeof edit = async (community, change) => {
    await enlist(community);
    const after = await edit(community, change);
    // Another process may have removed the last one, and the community from the index, meanwhile.
    if (after.length > 0) await enlist(community);
    return after;
  };

  return {
    all: recordsOf,
    communities,
    find: async (community: string, name: string) =>
      (await recordsOf(community)).find((alias) => alias.name === name),
    /**
     * Replaces a record (undefined: none of this name) by another (undefined: by none), unless it has changed
     * meanwhile; an id gets no second name. Returns whether it did.
     */
    async swap(
      community: string,
      before: AliasRecord | undefined,
      after: AliasRecord | undefined,
    ): Promise<boolean> {
      const name = (before ?? after)?.name;
      let isSwapped = false;
      await (after === undefined ? edit : add)(community, (records) => {
        const there = records.find((alias) => alias.name === name);
        const hasName = (id: string) => records.some((alias) => 'id' in alias && alias.id === id);
        const isDouble = before === undefined && after !== undefined && 'id' in after && hasName(after.id);
        isSwapped = isDeepStrictEqual(there, before) && !isDouble;
        if (!isSwapped) return undefined;
        return [...records.filter((alias) => alias !== there), ...(after === undefined ? [] : [after])];
      });
      return isSwapped;
    },
    async move(from: string, to: string): Promise<void> {
      await moveAll(from, (moved) =>
        add(to, (there) => {
          const merged = [...there];
          // They are there already after a crash between the two writes.
          for (const alias of moved.filter((each) => !there.some((other) => isSame(each, other))))
            merged.push({ ...alias, name: freeName(alias.name, merged) });
          return merged;
        }),
      );
      await delist(from);
    },
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
      const isNoted = (all: readonly Made[]): boolean => all.some((each) => isDeepStrictEqual(each, made));
      const all = await note([]);
      if (isNoted(all)) return true;
      // Some may have been deleted meanwhile.
      const gone: Made[] = [];
      for (const [community, there] of Map.groupBy(all, (each) => each.community)) {
        const names = new Set((await recordsOf(community)).map(({ name }) => name));
        gone.push(...there.filter(({ name }) => !names.has(name)));
      }
      return gone.length > 0 && isNoted(await note(gone));
    },
    /** Differs after every change of an alias at the service that a process has made lately. */
    lastChange: (id: string): Promise<unknown> => store.get(`${CHANGE_PREFIX}${id}`),
    async noteChange(id: string, keptMs: number): Promise<void> {
      await store.set(`${CHANGE_PREFIX}${id}`, randomUUID(), keptMs);
    },
  };
}
