import type { Chance } from '../kill/chance.ts';

/**
 * A cut leaves, if it is `strict`, only what was synced of what was written; if `torn`, any part of the rest as well, sector by
 * sector; if `killed`, all of it: the program died, and the machine lived on.
 */
export type Cut = 'strict' | 'torn' | 'killed';

export type Image = ReturnType<typeof createImage>;

interface Change {
  readonly offset: number;
  /** undefined: the file ends at the offset. */
  readonly data: Buffer | undefined;
}

interface File {
  /** The content that was synced. */
  bytes: Buffer;
  /** The changes that were not synced, in their order. */
  pending: Change[];
}

interface Naming {
  readonly name: string;
  /** undefined: no file has this name any more. */
  readonly file: File | undefined;
}

const WRITE = 1;
const TRUNCATE = 2;
const SYNC_BEGIN = 3;
const SYNC_END = 4;
const UNLINK = 5;
const RENAME = 6;
const HEAD_BYTES = 32;

/** A disk writes at least so many bytes at once. */
const SECTOR = 512;

/** The place where each record of a log ends; `isSync`: the record makes something certain. */
export function recordsOf(log: Buffer): { readonly end: number; readonly isSync: boolean }[] {
  const records = [];
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const end = at + HEAD_BYTES + log.readUInt32LE(at + 4) + Number(log.readBigUInt64LE(at + 24));
    records.push({ end, isSync: log.readUInt32LE(at) === SYNC_END });
    at = end;
  }
  return records;
}

/** The files of a folder, by name. */
export type Files = ReadonlyMap<string, { readonly inode: number; readonly bytes: Buffer }>;

/** Rebuilds what a disk holds that had these files on it and was written to and synced as its log says (see disk.c). */
export function createImage(found: Files) {
  const byInode = new Map<number, File>();
  const names = new Map<string, File>();
  for (const [name, { inode, bytes }] of found) {
    const file: File = { bytes, pending: [] };
    byInode.set(inode, file);
    names.set(name, file);
  }
  const onDisk = new Map(names);
  let namings: Naming[] = [];
  /** The changes that were pending when a sync began, by the sync's number: its end makes them certain. */
  const begun = new Map<
    number,
    { readonly file: File | undefined; readonly changes: ReadonlySet<unknown> }
  >();

  const call = (name: string, file: File | undefined): void => {
    if (file === undefined) names.delete(name);
    else names.set(name, file);
    namings.push({ name, file });
  };
  const fileOf = (name: string, inode: number): File => {
    const known = names.get(name);
    if (known !== undefined && byInode.get(inode) === known) return known;
    const file: File = { bytes: Buffer.alloc(0), pending: [] };
    byInode.set(inode, file);
    call(name, file);
    return file;
  };
  const settle = (number: number): void => {
    const { file, changes } = begun.get(number) ?? { file: undefined, changes: new Set() };
    if (file === undefined) {
      for (const naming of namings) if (changes.has(naming)) rename(onDisk, naming);
      namings = namings.filter((naming) => !changes.has(naming));
      return;
    }
    file.bytes = changed(
      file.bytes,
      file.pending.filter((change) => changes.has(change)),
    );
    file.pending = file.pending.filter((change) => !changes.has(change));
  };

  return {
    replay(log: Buffer): void {
      for (let at = 0; at + HEAD_BYTES <= log.length; ) {
        const kind = log.readUInt32LE(at);
        const nameLength = log.readUInt32LE(at + 4);
        const inode = Number(log.readBigUInt64LE(at + 8));
        const offset = Number(log.readBigUInt64LE(at + 16));
        const length = Number(log.readBigUInt64LE(at + 24));
        const dataAt = at + HEAD_BYTES + nameLength;
        at = dataAt + length;
        // The program was killed while it wrote this record.
        if (at > log.length) return;
        const name = log.toString('utf8', dataAt - nameLength, dataAt);
        if (name.endsWith('-shm')) continue;
        const data = log.subarray(dataAt, at);
        if (kind === WRITE) fileOf(name, inode).pending.push({ offset, data });
        else if (kind === TRUNCATE) fileOf(name, inode).pending.push({ offset, data: undefined });
        else if (kind === UNLINK) call(name, undefined);
        else if (kind === RENAME) {
          call(data.toString(), names.get(name));
          call(name, undefined);
        } else if (kind === SYNC_BEGIN) {
          const file = name === '.' ? undefined : fileOf(name, inode);
          begun.set(offset, { file, changes: new Set<unknown>(file === undefined ? namings : file.pending) });
        } else if (kind === SYNC_END) settle(offset);
        else throw new Error(`The log of the disk holds something unknown: ${kind}.`);
      }
    },
    afterCut(how: Cut, chance: Chance): Map<string, Buffer> {
      const share = { strict: 0, torn: chance.next(), killed: 1 }[how];
      // A file system writes the names of a folder in their order.
      const some = how === 'torn' ? Math.floor(chance.next() * (namings.length + 1)) : share * namings.length;
      const kept = namings.slice(0, some);
      for (const naming of kept) rename(onDisk, naming);
      const left = new Map<string, Buffer>();
      for (const [name, { bytes, pending }] of onDisk) left.set(name, torn(bytes, pending, share, chance));
      return left;
    },
  };
}

function rename(names: Map<string, File>, { name, file }: Naming): void {
  if (file === undefined) names.delete(name);
  else names.set(name, file);
}

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map(({ offset, data }) => offset + (data?.length ?? 0));
  const result = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), bytes.length));
  bytes.copy(result);
  let size = bytes.length;
  for (const { offset, data } of changes) {
    if (data === undefined) {
      result.fill(0, Math.min(offset, size));
      size = offset;
    } else {
      data.copy(result, offset);
      size = Math.max(size, offset + data.length);
    }
  }
  return result.subarray(0, size);
}

/** Keeps any share of the sectors that were not synced: a disk may write each of them before the others. */
function torn(bytes: Buffer, pending: readonly Change[], share: number, chance: Chance): Buffer {
  if (share === 0) return bytes;
  const parts = pending.flatMap((change) => (change.data === undefined ? [change] : sectorsOf(change)));
  return changed(
    bytes,
    parts.filter(() => chance.next() < share),
  );
}

function sectorsOf({ offset, data = Buffer.alloc(0) }: Change): Change[] {
  const parts: Change[] = [];
  for (let at = 0; at < data.length; ) {
    const end = at + SECTOR - ((offset + at) % SECTOR);
    parts.push({ offset: offset + at, data: data.subarray(at, end) });
    at = end;
  }
  return parts;
}
