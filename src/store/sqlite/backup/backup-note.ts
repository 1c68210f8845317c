import { z } from 'zod';
import type { Sum } from '../../tables/sum-up.ts';

/** What a backup says of itself. */
export interface BackupNote {
  /** When it was begun: it holds what was stored by then. */
  readonly at: string;
  /** The version of Darkroom that wrote it. */
  readonly version: string;
  readonly tables: Readonly<Record<string, Sum>>;
}

const sum = z.strictObject({ records: z.int().min(0), checksum: z.hex().length(64) });
const note = z.strictObject({
  at: z.iso.datetime(),
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  tables: z.record(z.string().regex(/^[a-z_]{1,40}$/), sum),
});

/** Undefined: it is none. */
export function readNote(text: unknown): BackupNote | undefined {
  try {
    return note.safeParse(JSON.parse(String(text))).data;
  } catch {
    return undefined;
  }
}
