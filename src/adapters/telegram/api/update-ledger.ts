import type { Update } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { KeyValue } from '../../../base/key-value.ts';

/** Telegram delivers an unconfirmed update again for 24 hours. */
const KEEP_MS = 25 * 3_600_000;
/** Updates share one write: a write for each would delay the answers to the next ones. */
const BATCH_MS = 25;
const UPDATES_PER_RECORD = 100;
const MOST_RECORDS = 50;
const MOST_LATEST = 5_000;

function senderOf({ message, callback_query: query, my_chat_member: member }: Update): number | undefined {
  return (message ?? query ?? member)?.from?.id;
}

function recordOf(update: number): string {
  return `telegram:handled:${Math.floor(update / UPDATES_PER_RECORD)}`;
}

/** Ids of handled updates, many in one record. */
function createMarks(state: KeyValue, clock: Clock) {
  const records = new Map<string, Set<number>>();
  const unwritten = new Set<number>();
  /** The latest ids, stored or not: recognises repeats without a read. */
  const latest = new Set<number>();
  let flushing: Promise<void> | undefined;

  const load = async (key: string): Promise<Set<number>> => {
    const known = records.get(key);
    if (known) return known;
    const stored = await state.get<number[]>(key);
    const record = records.get(key) ?? new Set(Array.isArray(stored) ? stored : []);
    records.set(key, record);
    keepLatest(records, MOST_RECORDS);
    return record;
  };
  const write = async (): Promise<void> => {
    await new Promise<void>((resolve) => clock.after(BATCH_MS, resolve));
    flushing = undefined;
    const changed = new Map<string, Set<number>>();
    const ids = [...unwritten];
    unwritten.clear();
    for (const id of ids) changed.set(recordOf(id), (await load(recordOf(id))).add(id));
    for (const [key, record] of changed) await state.set(key, [...record], KEEP_MS);
  };
  const isLatest = (id: number): boolean => latest.has(id);
  return {
    /** Handled by this process, lately. */
    isLatest,
    has: async (id: number): Promise<boolean> => isLatest(id) || (await load(recordOf(id))).has(id),
    mark(id: number): Promise<void> {
      unwritten.add(id);
      latest.add(id);
      keepLatest(latest, MOST_LATEST);
      flushing ??= write();
      return flushing;
    },
    unneeded(below: number): void {
      for (const id of unwritten) if (id < below) unwritten.delete(id);
    },
  };
}

/** Stores which updates were handled, and those that were confirmed to Telegram before they were handled. */
export function createUpdateLedger(state: KeyValue, clock: Clock) {
  const key = 'telegram:kept';
  const marks = createMarks(state, clock);
  const taken = new Map<number, Update>();
  let writing = Promise.resolve();
  let next: Promise<void> | undefined;
  /**
   * One write at a time, always of the newest list: two could land in the wrong order. Callers during a write share the next
   * one.
   */
  const write = (): Promise<void> => {
    next ??= writing
      .catch(() => undefined)
      .then(async () => {
        next = undefined;
        await state.set(key, [...taken.values()], KEEP_MS);
      });
    writing = next;
    return next;
  };
  let loading: Promise<void> | undefined;
  /** Before the list is changed: a webhook brings updates before those of an earlier process are taken up. */
  const load = (): Promise<void> => {
    loading ??= (async () => {
      for (const update of (await state.get<Update[]>(key)) ?? [])
        if (!(await marks.has(update.update_id))) taken.set(update.update_id, update);
    })();
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  return {
    isHandled: marks.has,
    /** Resolves when it is stored, or need not be any more. */
    async handled(update: number): Promise<void> {
      await marks.mark(update);
      // The mark is enough; the list is written again only when it becomes empty.
      if (taken.delete(update) && taken.size === 0) await write();
    },
    /**
     * Telegram will not deliver updates below this id again. Stored ones were confirmed long ago: only their mark says that
     * they are done.
     */
    confirmed: (below: number): void => marks.unneeded(Math.min(below, ...taken.keys())),
    /** Stores these, so that they may be confirmed to Telegram; those handled meanwhile need not be. */
    async keep(updates: readonly Update[]): Promise<void> {
      await load();
      const open = updates.filter(({ update_id }) => !marks.isLatest(update_id));
      for (const update of open) taken.set(update.update_id, update);
      if (open.length > 0) await write();
    },
    /** The list is stored elsewhere now. */
    async moved(): Promise<void> {
      taken.clear();
      await state.delete(key);
    },
    /** What an earlier process stored and did not handle. */
    async kept(): Promise<readonly Update[]> {
      await load();
      return [...taken.values()];
    },
    /** Deletes this person's updates, handled or not. */
    async forget(person: number): Promise<void> {
      await load();
      const sentByPerson = [...taken].filter(([, update]) => senderOf(update) === person);
      for (const [id] of sentByPerson) taken.delete(id);
      if (sentByPerson.length > 0) await write();
    },
  };
}

export type UpdateLedger = ReturnType<typeof createUpdateLedger>;
