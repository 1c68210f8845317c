import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWriteAheadLog } from '../../../src/store/write-ahead-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the log', () => {
  it('has nothing to wait for before something was promised', async () => {
    const log = createWriteAheadLog(join(folder, 'missing'));
    await expect(log.onDisk()).resolves.toBeUndefined();
  });

  it('says so when the disk could not be reached, and tries again for the next who waits', async () => {
    const path = join(folder, 'log');
    const log = createWriteAheadLog(path);
    log.promised();
    await expect(log.onDisk()).rejects.toThrow('ENOENT');
    writeFileSync(path, 'frames');
    await expect(log.onDisk()).resolves.toBeUndefined();
    rmSync(path);
    // Once it is safe nobody looks at the file any more.
    await expect(log.onDisk()).resolves.toBeUndefined();
    log.close();
  });

  it('does not count a wait that had begun before the latest promise', async () => {
    const path = join(folder, 'log');
    const log = createWriteAheadLog(path);
    log.promised();
    const early = log.onDisk();
    log.promised();
    const late = [log.onDisk(), log.onDisk()];
    const first = await Promise.allSettled([early]);
    // The file appears only now: whoever joined the first wait would have failed with it.
    writeFileSync(path, 'frames');
    expect(first).toMatchObject([{ status: 'rejected' }]);
    await expect(Promise.all(late)).resolves.toEqual([undefined, undefined]);
    log.close();
  });

  it('can be closed while somebody waits', async () => {
    const path = join(folder, 'log');
    writeFileSync(path, 'frames');
    const log = createWriteAheadLog(path);
    log.promised();
    const waiting = [log.onDisk(), log.onDisk()];
    log.close();
    await expect(Promise.all(waiting)).resolves.toEqual([undefined, undefined]);
    await expect(log.onDisk()).resolves.toBeUndefined();
  });
});
