import { createHash } from 'node:crypto';
import { createByteCache } from '../base/byte-cache.ts';
import { waitAtMost } from '../base/clock.ts';
import type { Decoder } from '../picture/decoder.ts';
import { layOut } from './layout.ts';
import { createTiles, type TilesDependencies } from './tiles.ts';

/** A filter to show as a tile. */
export interface SheetEntry {
  /** The number in the tile's corner; may be empty. */
  readonly label: string;
  readonly name: string;
  /** The address of the filter's picture. */
  readonly preview?: string;
}

/** A page of filters as one JPEG. */
export interface Sheet {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Draws sheets of filters, see `createPreviews`. */
export type Previews = ReturnType<typeof createPreviews>;

export interface PreviewsDependencies extends TilesDependencies {
  readonly decoder: Pick<Decoder, 'convert' | 'compose'>;
  readonly log: TilesDependencies['log'] & { warn(fields: object, message: string): void };
}

/** The most filters on one sheet. */
export const MOST_TILES = 25;
const WAIT_MS = 2_000;
/** The part of the wait that is reserved for drawing. */
const DRAWING_MS = 700;
/** Limits of sheets that are drawn concurrently, in total and for each person; beyond them none are begun. */
const MOST_DRAWING = { total: 400, perPerson: 4 };
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The room's entry: draws pages of filters as pictures. Previews are downloaded and cut to tiles (`tiles.ts`), and laid out on
 * sheets (`layout.ts`) that are cached by their content.
 */
export function createPreviews(parts: PreviewsDependencies) {
  const { decoder, clock, log } = parts;
  const tiles = createTiles(parts);
  const sheets = createByteCache<Sheet>(MOST_BYTES, ({ bytes }) => bytes.byteLength);
  const drawing = new Map<string, { readonly person: string; readonly sheet: Promise<Sheet | undefined> }>();
  const isBusyFor = (person: string): boolean =>
    drawing.size >= MOST_DRAWING.total ||
    [...drawing.values()].filter((each) => each.person === person).length >= MOST_DRAWING.perPerson;

  const get = (entry: Pick<SheetEntry, 'preview'>) =>
    entry.preview === undefined ? undefined : tiles.get(entry.preview);

  const draw = async (entries: readonly SheetEntry[], person: string): Promise<Sheet | undefined> => {
    const found = entries.map((entry) => ({ ...entry, tile: get(entry)?.tile }));
    const content = found.map(({ label, name, tile }) => [label, name, tile?.hash]);
    const key = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
    const known = sheets.get(key) ?? drawing.get(key)?.sheet;
    if (known !== undefined || isBusyFor(person)) return known;
    const composition = layOut(found.map(({ tile, ...entry }) => ({ ...entry, picture: tile?.bytes })));
    const sheet = decoder
      .compose(composition, person)
      .then((bytes): Sheet => {
        const made = { bytes, width: composition.width, height: composition.height };
        sheets.set(key, made);
        return made;
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a sheet of filters could not be drawn');
        return undefined;
      })
      .finally(() => drawing.delete(key));
    drawing.set(key, { person, sheet });
    return sheet;
  };

  return {
    /**
     * Draws a sheet with the previews that have arrived in time; the others are downloaded in the background for the next time.
     * Undefined if no entry has a preview, or if the sheet could not be drawn in time. Never rejects. People take turns.
     */
    async sheet(all: readonly SheetEntry[], person: string): Promise<Sheet | undefined> {
      const entries = all.slice(0, MOST_TILES);
      if (entries.every(({ preview }) => preview === undefined)) return undefined;
      const end = clock.now() + WAIT_MS;
      const coming = entries.map((entry) => get(entry)?.coming);
      await waitAtMost(clock, WAIT_MS - DRAWING_MS, Promise.all(coming));
      return waitAtMost(clock, Math.max(0, end - clock.now()), draw(entries, person));
    },
    /** One preview as a square JPEG; undefined if it does not arrive in time. */
    async tile(preview: string): Promise<Buffer | undefined> {
      const { tile, coming } = tiles.get(preview);
      if (coming === undefined) return tile?.bytes;
      await waitAtMost(clock, WAIT_MS, coming);
      return tiles.get(preview).tile?.bytes;
    },
    /** Downloads previews that will probably be needed. */
    warm(entries: readonly Pick<SheetEntry, 'preview'>[]): void {
      for (const entry of entries) get(entry);
    },
    close: tiles.close,
  };
}
