import { type Clock, waitAtMost } from '../../base/clock.ts';
import type { KeyValue } from '../../base/key-value.ts';
import { TROUBLES, type Trouble, type Troubles, withTroubles } from '../../log/troubles.ts';

const EVERY_MS = 10_000;
/** At the end; a store that is away must not delay it. */
const LAST_WRITE_MS = 1_000;

/** Saves warnings and errors in the store, where `npm run support` finds them. Returns what ends that. */
export function keepTroubles(
  troubles: Troubles,
  records: Pick<KeyValue, 'update'>,
  clock: Clock,
): () => Promise<void> {
  let unsaved: readonly Trouble[] = [];
  let writing: Promise<void> | undefined;
  let cancel: (() => void) | undefined;

  const write = async (): Promise<void> => {
    unsaved = withTroubles(unsaved, troubles.take());
    const mine = unsaved;
    if (mine.length === 0) return;
    try {
      await records.update<readonly Trouble[]>(TROUBLES.key, (before = []) => withTroubles(before, mine));
      unsaved = [];
    } catch {
      // The store is away, which others log: saved the next time.
    }
  };
  /** One at a time. */
  const save = async (): Promise<void> => {
    await writing;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    await writing;
  };
  const plan = (): void => {
    cancel = clock.after(EVERY_MS, () => void save().then(() => cancel && plan()));
  };
  plan();
  troubles.saveBy(async () => void (await waitAtMost(clock, LAST_WRITE_MS, save())));
  return async () => {
    cancel?.();
    cancel = undefined;
    await troubles.save();
    troubles.saveBy(async () => undefined);
  };
}
