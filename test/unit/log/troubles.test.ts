import { describe, expect, it } from 'vitest';
import { createListTroubles } from '../../../src/app/notices/list-notices.ts';
import { createLog } from '../../../src/log/log.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const time = { now: 1_000 };
const open = (level = 'info') =>
  createLog({ level, secrets: [], stream: { write: () => undefined }, now: () => time.now });

describe('the latest warnings and errors', () => {
  it('are kept whatever the level, alike ones counted together, until they are taken', () => {
    const log = open('silent');
    log.info('not one');
    log.warn({ job: 'secret-1' }, 'a step failed');
    time.now = 5_000;
    log.child({ platform: 'web' }).warn({ job: 'secret-2' }, 'a step failed');
    log.fatal('the end');
    expect(log.troubles.take()).toEqual([
      { level: 'warn', places: [], first: 1_000, last: 5_000, count: 2 },
      { level: 'fatal', places: [], first: 5_000, last: 5_000, count: 1 },
    ]);
    expect(log.troubles.take()).toEqual([]);
  });

  it('have the facts of an error, and none of its words', () => {
    const log = open();
    const error = Object.assign(
      new TypeError('Ann sent https://example.org/1\n    at x (/src/fake.ts:1:1)'),
      {
        code: 'ENOSPC',
        path: '/home/ann',
        status: 507,
      },
    );
    log.error({ err: error }, 'the disk is full');
    const [trouble] = log.troubles.take();
    expect(trouble).toMatchObject({ error: { name: 'TypeError', code: 'ENOSPC', status: 507 } });
    expect(JSON.stringify(trouble)).not.toMatch(/ann|example|fake/i);
  });

  it('know where in the program it was', () => {
    const log = open();
    const error = new Error('any');
    error.stack = [
      'Error: any',
      '    at step (file:///home/ann/darkroom/src/orchestrator/steps/poll.ts:12:3)',
      '    at file:///home/ann/darkroom/commands/faceswap.ts:7:1',
      '    at other (file:///home/ann/darkroom/node_modules/lib/src/index.ts:1:1)',
      '    at node:internal/timers:1:1',
    ].join('\n');
    log.error(error);
    expect(log.troubles.take()[0]?.error?.frames).toEqual([
      'src/orchestrator/steps/poll.ts:12',
      'commands/faceswap.ts:7',
    ]);
  });

  it('take the kind of our own errors, not the code that a service gave', () => {
    const log = open();
    log.warn({ err: Object.assign(new Error('x'), { kind: 'refused', code: 'ANN_0815' }) }, 'refused');
    expect(log.troubles.take()[0]?.error).toMatchObject({ kind: 'refused' });
    expect(log.troubles.take()).toEqual([]);
  });

  it('have no words of a line, but where it was logged', () => {
    const log = open();
    createListTroubles(() => undefined, createFakeClock(), log)(new Error('Ann said no'), 'list of Ann');
    log.warn('Ann said no');
    const troubles = log.troubles.take();
    expect(troubles[0]?.places[0]).toMatch(/^src\/app\/notices\/list-notices\.ts:\d+$/);
    expect(JSON.stringify(troubles)).not.toMatch(/ann|said/i);
  });

  it('are a hundred kinds at most, and no error of a getter gets out', () => {
    const log = open();
    for (let status = 100; status < 400; status += 1)
      log.warn({ err: Object.assign(new Error('x'), { status }) }, 'failed');
    expect(log.troubles.take()).toHaveLength(100);
    const hostile = new Error('x');
    Object.defineProperty(hostile, 'code', {
      get() {
        throw new Error('no');
      },
    });
    log.error({ err: hostile }, 'hostile');
    log.error(null, 'nothing');
    expect(log.troubles.take()).toEqual([
      { level: 'error', places: [], error: undefined, first: 5_000, last: 5_000, count: 2 },
    ]);
  });
});
