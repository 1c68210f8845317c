import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWriteAheadLog } from '../../../../../src/store/sqlite/file/write-ahead-log.ts';
import { holds } from '../../../../eventually.ts';
import { folderForEach } from '../../../../temp-folder.ts';

const file = folderForEach();
let path: string;

beforeEach(() => {
  path = file('log');
  writeFileSync(path, 'frames');
});

afterEach(() => void vi.useRealTimers());

describe('the log', () => {
  it('the write-ahead log rejects when its sync fails, and tries again for the next who waits', async () => {
    rmSync(path);
    const log = createWriteAheadLog(path);
    log.written();

    await expect(log.onDisk()).rejects.toThrow('ENOENT');

    writeFileSync(path, 'frames');
    await expect(log.onDisk()).resolves.toBeUndefined();

    rmSync(path);
    // Everything is on the disk already, so nobody looks at the file any more.
    await expect(log.onDisk()).resolves.toBeUndefined();

    log.close();
  });

  it('one sync of the write-ahead log serves all who wait, but not those who wrote after it began', async () => {
    const waits: (() => void)[] = [];
    const log = createWriteAheadLog(path, { sync: () => new Promise((done) => waits.push(done)) });
    const done: string[] = [];
    const wait = (who: string): Promise<unknown> => {
      log.written();
      return log.onDisk().then(() => done.push(who));
    };

    const early = [wait('early'), log.onDisk().then(() => done.push('beside it'))];
    const late = [wait('late'), wait('later')];

    await holds(() => expect(waits.length).toBe(1));

    waits[0]?.();
    await Promise.all(early);
    await holds(() => expect(waits.length).toBe(2));
    expect(done).toEqual(['early', 'beside it']);

    waits[1]?.();
    await Promise.all(late);
    expect(waits).toHaveLength(2);

    log.close();
  });

  it('a patient wait for the disk is content with a sync that others ask for, and syncs itself otherwise', async () => {
    const sync = vi.fn(async () => undefined);
    const log = createWriteAheadLog(path, { sync });

    await log.onDisk(3_600_000);
    // On a slow machine a real timer of the log would be one more that asks for a sync.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    log.written();
    const patient = log.onDisk(3_600_000);
    log.written();
    await log.onDisk();
    await patient;

    expect(sync).toHaveBeenCalledTimes(1);

    log.written();
    const impatient = log.onDisk(1);
    vi.advanceTimersByTime(1);
    await impatient;

    expect(sync).toHaveBeenCalledTimes(2);

    log.written();
    const left = log.onDisk(3_600_000);
    log.close();
    await left;

    expect(sync).toHaveBeenCalledTimes(2);
  });

  it('the write-ahead log is rewritten after a failed sync, because a later sync would prove nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const done: string[] = [];
    let failing = true;
    const log = createWriteAheadLog(path, {
      async sync() {
        if (failing) throw new Error('EIO');
        done.push('forced');
      },
      rewrite: () => void done.push('rewritten'),
    });
    log.written();

    await expect(log.onDisk()).rejects.toThrow('EIO');
    expect(log.check).toThrow('EIO');

    failing = false;
    await log.onDisk();
    expect(done).toEqual(['rewritten']);
    expect(log.check).not.toThrow();

    log.written();
    await log.onDisk();
    expect(done).toEqual(['rewritten', 'forced']);

    log.close();
  });

  it('the write-ahead log can be closed while somebody waits for the disk', async () => {
    const log = createWriteAheadLog(path);

    log.written();
    const waiting = [log.onDisk(), log.onDisk()];
    log.close();

    await expect(Promise.all(waiting)).resolves.toEqual([undefined, undefined]);
    await expect(log.onDisk()).resolves.toBeUndefined();
  });
});
