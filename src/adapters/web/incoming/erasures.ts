import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { Photos } from './photos.ts';

export const ERASURES_KEY = 'web:erasures';

/** By person: another number after each erasure. */
type Marks = Readonly<Record<string, number>>;

const EVERY_MS = 2_000;
/** Longer than any photo is kept. */
const KEPT_MS = 2 * 3_600_000;

/**
 * Tells the processes that share `state` whose photos they have to drop. A process reads one record for all people, and only while
 * it has photos.
 */
export function createPhotoErasures(options: {
  readonly state: KeyValue;
  readonly clock: Clock;
  readonly photos: Photos;
  /** Other processes have erased people. */
  readonly erased: () => Promise<void>;
}) {
  const { state, clock, photos } = options;
  let known: Marks = {};
  let cancel: (() => void) | undefined;

  const check = async (): Promise<void> => {
    const marks = (await state.get<Marks>(ERASURES_KEY)) ?? {};
    const erased = Object.keys(marks).filter((person) => marks[person] !== known[person]);
    known = { ...known, ...marks };
    if (erased.length === 0) return;
    for (const person of erased) photos.dropOf(person);
    await options.erased();
  };
  const watch = (): void => {
    cancel ??= clock.after(EVERY_MS, () => {
      cancel = undefined;
      if (photos.isEmpty()) return;
      watch();
      // The next time it is read again.
      check().catch(() => undefined);
    });
  };

  return {
    /** Before photos are added: what was erased until now is older. */
    async expectPhotos(): Promise<void> {
      await check();
      watch();
    },
    async erase(person: string): Promise<void> {
      photos.dropOf(person);
      const marked = (marks: Marks = {}): Marks => ({
        ...marks,
        [person]: Math.max(clock.now(), (marks[person] ?? 0) + 1),
      });
      const marks = await state.update<Marks>(ERASURES_KEY, marked, KEPT_MS);
      // Those of others may be news.
      known = { ...known, [person]: marks?.[person] ?? 0 };
    },
    stop: () => cancel?.(),
  };
}

export type Erasures = ReturnType<typeof createPhotoErasures>;
