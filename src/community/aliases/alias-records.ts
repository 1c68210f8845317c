import { z } from 'zod';
import type { KeyValue } from '../../base/key-value.ts';
import { createKeyedQueue } from '../../base/keyed-queue.ts';

/**
 * An alias of a community: its name, the service's id and the model type; only the service knows the filter. A change is
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
  }),
]);

export type AliasRecord = z.infer<typeof record>;
export type NamedAlias = Extract<AliasRecord, { id: string }>;

export type AliasRecords = ReturnType<typeof createAliasRecords>;

const INDEX_KEY = '*communities';
const listOfRecords = z.array(record);
const listOfNames = z.array(z.string());

/** What the store must know about these records. */
export const aliasRecords = {
  isValid: (key: string, value: unknown): boolean =>
    (key === INDEX_KEY ? listOfNames : listOfRecords).safeParse(value).success,
};

function sorted(records: readonly AliasRecord[]): readonly AliasRecord[] {
  return records.toSorted((a, b) => a.name.localeCompare(b.name));
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
  const serially = createKeyedQueue();
  const all = async (community: string): Promise<AliasRecord[]> =>
    listOfRecords.safeParse(await store.get(community)).data ?? [];
  /** Communities that have any, for `reconcile` at the start. */
  const communities = async (): Promise<string[]> =>
    listOfNames.safeParse(await store.get(INDEX_KEY)).data ?? [];
  const index = (edit: (names: readonly string[]) => readonly string[]): Promise<void> =>
    serially(INDEX_KEY, async () => {
      await store.set(INDEX_KEY, edit(await communities()));
    });

  const write = async (community: string, records: readonly AliasRecord[]): Promise<void> => {
    if (records.length === 0) {
      await store.delete(community);
      await index((names) => names.filter((name) => name !== community));
      return;
    }
    // The index first: an entry without records is harmless, the reverse would never be reconciled.
    if (!(await communities()).includes(community))
      await index((names) => [...new Set([...names, community])]);
    await store.set(community, records);
  };

  const without = async (community: string, name: string): Promise<AliasRecord[]> =>
    (await all(community)).filter((alias) => alias.name !== name);

  return {
    all,
    communities,
    find: async (community: string, name: string) =>
      (await all(community)).find((alias) => alias.name === name),
    put: (community: string, alias: AliasRecord) =>
      serially(community, async () => {
        await write(community, sorted([...(await without(community, alias.name)), alias]));
      }),
    remove: (community: string, name: string) =>
      serially(community, async () => {
        await write(community, await without(community, name));
      }),
    move: (from: string, to: string) =>
      serially(from, async () => {
        const records = await all(from);
        if (records.length === 0) return;
        const there = await all(to);
        // They are there already after a crash between the two writes.
        for (const alias of records.filter((each) => !there.some((other) => isSame(each, other)))) {
          there.push({ ...alias, name: freeName(alias.name, there) });
        }
        await write(to, sorted(there));
        await write(from, []);
      }),
  };
}
