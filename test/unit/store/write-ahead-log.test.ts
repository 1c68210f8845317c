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

  it('lets everybody who comes while it waits share the next wait, but not the one that had begun before', async () => {
    const path = join(folder, 'log');
    writeFileSync(path, 'frames');
    const waits: (() => void)[] = [];
    const log = createWriteAheadLog(path, () => new Promise((done) => waits.push(done)));
    const done: string[] = [];
    const wait = (who: string): Promise<unknown> => {
      log.promised();
      return log.onDisk().then(() => done.push(who));
    };
    const early = wait('early');
    const late = [wait('late'), wait('later')];
    await expect.poll(() => waits.length).toBe(1);
    waits[0]?.();
    await early;
    await expect.poll(() => waits.length).toBe(2);
    expect(done).toEqual(['early']);
    waits[1]?.();
    await Promise.all(late);
    expect(waits).toHaveLength(2);
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
