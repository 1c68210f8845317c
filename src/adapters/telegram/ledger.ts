import type { Update } from 'grammy/types';

/** The part of Keyv that is used here. */
export interface Memory {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown, ttl?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/** Telegram keeps what was not confirmed for 24 hours, then it is never delivered again. */
const rememberMs = 25 * 3_600_000;

/** Which updates were handled, and those that we took over from Telegram before they were. Both survive us. */
export interface Ledger {
  isHandled(update: number): Promise<boolean>;
  handled(update: number): Promise<void>;
  /** From now on the update is ours to remember: it may be confirmed to Telegram. */
  keep(update: Update): Promise<void>;
  /** What a former process kept and did not come to handle. */
  kept(): Promise<readonly Update[]>;
}

export const createLedger = (state: Memory): Ledger => {
  const index = 'telegram:kept';
  const ids = new Set<number>();
  let writing = Promise.resolve();
  const writeIndex = (): Promise<void> => {
    // One after the other, and always the newest list: two writes in flight could land in the wrong order.
    writing = writing.catch(() => undefined).then(async () => void (await state.set(index, [...ids])));
    return writing;
  };
  const isHandled = async (update: number): Promise<boolean> =>
    (await state.get(`telegram:handled:${update}`)) === true;
  return {
    isHandled,
    async handled(update) {
      await state.set(`telegram:handled:${update}`, true, rememberMs);
      if (!ids.delete(update)) return;
      await state.delete(`telegram:kept:${update}`);
      await writeIndex();
    },
    async keep(update) {
      if (ids.has(update.update_id)) return;
      await state.set(`telegram:kept:${update.update_id}`, update, rememberMs);
      ids.add(update.update_id);
      await writeIndex();
    },
    async kept() {
      const found: Update[] = [];
      for (const id of (await state.get<number[]>(index)) ?? []) {
        const update = await state.get<Update>(`telegram:kept:${id}`);
        if (update === undefined || (await isHandled(id))) continue;
        ids.add(id);
        found.push(update);
      }
      return found;
    },
  };
};
