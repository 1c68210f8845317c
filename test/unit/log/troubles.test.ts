import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/log/log.ts';

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
      { level: 'warn', text: 'a step failed', first: 1_000, last: 5_000, count: 2 },
      { level: 'fatal', text: 'the end', first: 5_000, last: 5_000, count: 1 },
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

  it.each(['see https://example.org', 'job 12345 failed', '"Ann" said no', 'x'.repeat(300), ''])(
    'leave out a text that is not constant: %s',
    (text) => {
      const log = open();
      log.warn(text);
      log.warn({ a: 1 }, text);
      expect(log.troubles.take().map((each) => each.text)).toEqual(['']);
    },
  );

  it('are a hundred kinds at most, and no error of a getter gets out', () => {
    const log = open();
    const names = Array.from({ length: 300 }, (_, index) =>
      'abcdefghij'.repeat(3).slice(0, 3 + (index % 25)),
    );
    for (const [index, name] of names.entries()) log.warn(`${name} ${'x'.repeat(index % 12)} failed`);
    expect(log.troubles.take().length).toBeLessThanOrEqual(100);
    const hostile = new Error('x');
    Object.defineProperty(hostile, 'code', {
      get() {
        throw new Error('no');
      },
    });
    log.error({ err: hostile }, 'hostile');
    log.error(null, 'nothing');
    expect(log.troubles.take().map((each) => each.text)).toEqual(['hostile', 'nothing']);
  });
});
