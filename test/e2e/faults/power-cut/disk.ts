/** A disk whose power can be cut: disk.c keeps a log of it, from which this file rebuilds what a cut would leave. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Chance } from '../kill/chance.ts';
import { type Cut, createImage, type Files, type Image } from './image.ts';

/** Reads the files of a folder, except SQLite's index of the log (-shm), which it makes anew and which holds nothing that must last. */
export const filesIn = (folder: string): Files =>
  new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((each) => each.isFile() && !each.name.endsWith('-shm'))
      .map(({ name }) => [name, join(folder, name)] as const)
      .map(([name, path]) => [name, { inode: statSync(path).ino, bytes: readFileSync(path) }]),
  );

/** Whether this machine has what a power cut needs: Linux and a C compiler. Without them the tests are skipped and say so, or fail with DEMAND_POWER_CUT=1. */
export const canCutPower =
  process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
if (!canCutPower && process.env.DEMAND_POWER_CUT === '1') throw new Error('The power cannot be cut here.');
if (!canCutPower) console.warn('SKIPPED: tests with power cuts, which need Linux and a C compiler (cc).');

/** `folder`: where the program keeps its files; `work`: for the library and the log. */
export function createDisk(folder: string, work: string, syncMicroseconds: number) {
  const library = join(work, 'disk.so');
  const log = join(work, 'disk.log');
  const source = new URL('./disk.c', import.meta.url).pathname;
  const flags = ['-shared', '-fPIC', '-O1', '-Wall', '-Werror'];
  execFileSync('cc', [...flags, '-o', library, source, '-ldl', '-lpthread']);
  let image: Image | undefined;
  return {
    /** The program's environment has these, so that its writes to the folder are watched. */
    env: {
      LD_PRELOAD: library,
      POWER_CUT_FOLDER: realpathSync(folder),
      POWER_CUT_LOG: log,
      POWER_CUT_SYNC_MICROSECONDS: String(syncMicroseconds),
      // With io_uring Node writes without libc, whose functions the library replaces.
      UV_USE_IO_URING: '0',
    },
    /** The log of what the program did so far. */
    log: () => readFileSync(log),
    /** Called before the program is started: what the folder holds now is on the disk. */
    begin(): void {
      rmSync(log, { force: true });
      image = createImage(filesIn(folder));
    },
    /** Called when the program has ended, however it did: its files become what the disk would hold. Returns how many bytes were lost. */
    cut(how: Cut, chance: Chance): number {
      if (image === undefined) throw new Error('begin() must be called before cut().');
      if (existsSync(log)) image.replay(readFileSync(log));
      const left = image.afterCut(how, chance);
      let lost = 0;
      for (const [name, { bytes }] of filesIn(folder)) lost += difference(bytes, left.get(name));
      for (const each of readdirSync(folder, { withFileTypes: true }))
        if (each.isFile()) rmSync(join(folder, each.name));
      for (const [name, bytes] of left) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
      image = undefined;
      return lost;
    },
  };
}

function difference(before: Buffer, after: Buffer = Buffer.alloc(0)): number {
  let count = Math.abs(before.length - after.length);
  for (let at = 0; at < Math.min(before.length, after.length); at += 512)
    if (!before.subarray(at, at + 512).equals(after.subarray(at, at + 512))) count += 512;
  return count;
}
