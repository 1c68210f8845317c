import type { Update } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { KeyValue } from '../../../base/key-value.ts';

/** Telegram keeps what was not confirmed for 24 hours, then it is never delivered again. */
const rememberMs = 25 * 3_600_000;
/** A write to disk for every update would hold up the answers to the next ones: they share one. */
const gatherMs = 25;
const inOneRecord = 100;
const mostRecords = 50;
const mostLatest = 5_000;

/** Which updates were handled, and those that we took over from Telegram before they were. Both survive us. */
export interface UpdateLedger {
  isHandled(update: number): Promise<boolean>;
  /** Settles when it is written down, or need not be any more. */
  handled(update: number): Promise<void>;
  /** Telegram will not deliver anything below this number again. */
  confirmed(below: number): void;
  /** From now on these are ours to remember: they may be confirmed to Telegram. */
  keep(updates: readonly Update[]): Promise<void>;
  /** What a former process kept and did not come to handle. */
  kept(): Promise<readonly Update[]>;
  /** Lets go of what this person said, handled or not. */
  forget(person: number): Promise<void>;
}

const speakerOf = ({ message, callback_query: query }: Update): number | undefined =>
  (message ?? query)?.from?.id;

const recordOf = (update: number): string => `telegram:handled:${Math.floor(update / inOneRecord)}`;

/** The marks of handled updates, many in one record. */
const createMarks = (state: KeyValue, clock: Clock) => {
  const records = new Map<string, Set<number>>();
  const fresh = new Set<number>();
  /** The latest, written down or not: what comes twice to the same process is known without asking. */
  const latest = new Set<number>();
  let flushing: Promise<void> | undefined;

  const load = async (key: string): Promise<Set<number>> => {
    const known = records.get(key);
    if (known) return known;
    const stored = await state.get<number[]>(key);
    const record = records.get(key) ?? new Set(Array.isArray(stored) ? stored : []);
    records.set(key, record);
    keepLatest(records, mostRecords);
    return record;
  };
  const write = async (): Promise<void> => {
    await new Promise<void>((resolve) => clock.after(gatherMs, resolve));
    flushing = undefined;
    const changed = new Map<string, Set<number>>();
    const ids = [...fresh];
    fresh.clear();
    for (const id of ids) changed.set(recordOf(id), (await load(recordOf(id))).add(id));
    for (const [key, record] of changed) await state.set(key, [...record], rememberMs);
  };
  return {
    has: async (id: number): Promise<boolean> => latest.has(id) || (await load(recordOf(id))).has(id),
    mark(id: number): Promise<void> {
      fresh.add(id);
      latest.add(id);
      keepLatest(latest, mostLatest);
      flushing ??= write();
      return flushing;
    },
    unneeded(below: number): void {
      for (const id of fresh) if (id < below) fresh.delete(id);
    },
  };
};

export const createUpdateLedger = (state: KeyValue, clock: Clock): UpdateLedger => {
  const key = 'telegram:kept';
  const marks = createMarks(state, clock);
  const ours = new Map<number, Update>();
  let writing = Promise.resolve();
  let next: Promise<void> | undefined;
  /**
   * One after the other, and always the newest list: two writes in flight could land in the wrong order. All who come while
   * one is under way share the next: each writes the whole list.
   */
  const write = (): Promise<void> => {
    next ??= writing
      .catch(() => undefined)
      .then(async () => {
        next = undefined;
        await state.set(key, [...ours.values()], rememberMs);
      });
    writing = next;
    return next;
  };
  return {
    isHandled: marks.has,
    async handled(update) {
      await marks.mark(update);
      // The mark is enough; the list is written anew only when that empties it.
      if (ours.delete(update) && ours.size === 0) await write();
    },
    // What we took over was confirmed long ago: only the mark says that it is done.
    confirmed: (below) => marks.unneeded(Math.min(below, ...ours.keys())),
    async keep(updates) {
      if (updates.length === 0) return;
      for (const update of updates) ours.set(update.update_id, update);
      await write();
    },
    async kept() {
      for (const update of (await state.get<Update[]>(key)) ?? [])
        if (!(await marks.has(update.update_id))) ours.set(update.update_id, update);
      return [...ours.values()];
    },
    async forget(person) {
      const theirs = [...ours].filter(([, update]) => speakerOf(update) === person);
      for (const [id] of theirs) ours.delete(id);
      if (theirs.length > 0) await write();
    },
  };
};
