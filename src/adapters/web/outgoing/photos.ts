import type { Clock } from '../../../base/clock.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { pictureType } from '../../../base/picture-type.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';

interface Photo {
  readonly bytes: Uint8Array;
  readonly type: string;
}

const KEPT_MS = 3_600_000;
const MOST_PHOTOS = 200;
const MOST_BYTES = 256 * 1024 * 1024;

export const ERASURES_KEY = 'web:erasures';
/** By person: another number after each erasure. */
type Marks = Readonly<Record<string, number>>;
const CHECK_EVERY_MS = 2_000;
/** Longer than any photo is kept. */
const MARKED_MS = 2 * 3_600_000;

const photosOf = (person: string): string => `photo.${person}.`;

/** The id of a photo of one message. */
export const photoId = (person: string, message: string, index: number): string =>
  `${photosOf(person)}${message}.${index}`;

/** The id of the picture that the bot's answer `bot.<person>.<action>` shows. */
export const shownPhotoId = (answer: string): string => `photo.${answer.replace(/^bot\./, '')}.shown`;

/**
 * Uploaded photos and what shows them: only in memory, for an hour, never on disk. `erased`: other processes that share `state` have
 * erased people, whose photos are dropped here, too. A process reads one record for all people, and only while it has photos.
 */
export function createPhotos(options: {
  readonly state: Records;
  readonly clock: Clock;
  readonly erased: () => Promise<void>;
}) {
  const { state, clock } = options;
  /** Oldest first. */
  const kept = new Map<string, Photo & { readonly until: number; readonly address: string }>();
  let total = 0;
  const drop = (id: string): void => {
    total -= kept.get(id)?.bytes.byteLength ?? 0;
    kept.delete(id);
  };
  /** The oldest photo from the address that uses most memory: who sends many displaces only their own. */
  const oldestOfMost = (): string | undefined => {
    const sizeOf = ([, { bytes }]: [string, Photo]): number => bytes.byteLength;
    return ofHeaviest([...kept], ([, { address }]) => address, sizeOf)[0]?.[0];
  };
  const tidy = (): void => {
    const now = clock.now();
    for (const [id, { until }] of kept) {
      if (until > now) break;
      drop(id);
    }
    while (total > MOST_BYTES || kept.size > MOST_PHOTOS) {
      const oldest = oldestOfMost();
      if (oldest === undefined) return;
      drop(oldest);
    }
  };
  const dropOf = (person: string): void => {
    for (const id of kept.keys()) if (id.startsWith(photosOf(person))) drop(id);
  };

  let known: Marks = {};
  let cancel: (() => void) | undefined;
  const check = async (): Promise<void> => {
    const marks = (await state.get<Marks>(ERASURES_KEY)) ?? {};
    const erased = Object.keys(marks).filter((person) => marks[person] !== known[person]);
    known = { ...known, ...marks };
    if (erased.length === 0) return;
    for (const person of erased) dropOf(person);
    await options.erased();
  };
  const watch = (): void => {
    cancel ??= clock.after(CHECK_EVERY_MS, () => {
      cancel = undefined;
      tidy();
      if (kept.size === 0) return;
      watch();
      // The next time it is read again.
      check().catch(() => undefined);
    });
  };

  return {
    /** `address`: of who uses the memory. */
    async put(photos: readonly (readonly [id: string, bytes: Uint8Array])[], address: string): Promise<void> {
      if (photos.length === 0) return;
      // What was erased until now is older.
      await check();
      watch();
      for (const [id, bytes] of photos) {
        tidy();
        // Sent again after a lost response: the same photo.
        if (kept.has(id)) continue;
        // What is no picture is not served as one.
        const type = pictureType(bytes) ?? 'application/octet-stream';
        kept.set(id, { bytes, type, until: clock.now() + KEPT_MS, address });
        total += bytes.byteLength;
      }
      tidy();
    },
    get(id: string): Photo | undefined {
      tidy();
      return kept.get(id);
    },
    async erase(person: string): Promise<void> {
      dropOf(person);
      const marked = (marks: Marks = {}): Marks => ({
        ...marks,
        [person]: Math.max(clock.now(), (marks[person] ?? 0) + 1),
      });
      const marks = await state.update<Marks>(ERASURES_KEY, marked, MARKED_MS);
      // Those of others may be news.
      known = { ...known, [person]: marks?.[person] ?? 0 };
    },
    stop: () => cancel?.(),
  };
}

export type Photos = ReturnType<typeof createPhotos>;
