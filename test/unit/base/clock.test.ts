import { describe, expect, it } from 'vitest';
import { createAlarm, createSystemClock, sleep, withTimeout } from '../../../src/base/clock.ts';
import { createFakeClock } from '../../fakes/clock.ts';

/** A wall that somebody can set, and a count of the time that really passes. */
const machine = () => {
  let wall = 1_000_000;
  let passed = 500.25;
  const clock = createSystemClock(
    () => Math.floor(wall),
    () => passed,
  );
  return {
    clock,
    pass: (ms: number) => {
      wall += ms;
      passed += ms;
    },
    set: (by: number) => {
      wall += by;
    },
  };
};

it('an alarm rings at the earliest of the times for which it was set, once', async () => {
  const clock = createFakeClock();
  const rings: number[] = [];
  const begin = clock.now();
  const alarm = createAlarm(clock, () => rings.push(clock.now() - begin));

  for (const ms of [300, 100, 200]) alarm.set(begin + ms);
  await clock.advance(1_000);

  expect(rings).toEqual([100]);
});

it('a sleep ends when it is aborted, also before it begins', async () => {
  const clock = createFakeClock();
  const stopping = new AbortController();
  const before = sleep(clock, 1_000, stopping.signal);
  stopping.abort(new Error('stopped'));
  const after = sleep(clock, 1_000, stopping.signal);

  await expect(before).rejects.toThrow('stopped');
  await expect(after).rejects.toThrow('stopped');
  expect(clock.pending).toBe(0);
});

it('work that is not finished in time is aborted', async () => {
  const clock = createFakeClock();
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  const work = withTimeout(clock, 1_000, (signal) => {
    begin(signal);
    return new Promise(() => undefined);
  });
  const ended = expect(work).rejects.toThrow('Not finished within 1000 ms.');
  await clock.advance(1_000);

  await ended;

  expect((await begun).aborted).toBe(true);
});

it('a timer of the system clock that is further away than the longest timer of Node does not fire at once', async () => {
  let hasFired = false;
  const cancel = createSystemClock().after(2 ** 31, () => {
    hasFired = true;
  });
  // Node fires a timer that is too long after a millisecond.
  await new Promise((done) => setTimeout(done, 20));
  cancel();

  expect(hasFired).toBe(false);
});

describe('the system clock', () => {
  it('the system clock follows the wall clock, and continues when the wall clock is set back', () => {
    const { clock, pass, set } = machine();
    pass(1_234);

    expect(clock.now()).toBe(1_001_234);

    const before = clock.now();
    set(-3_600_000);

    expect(clock.now()).toBe(before);

    pass(5_000);

    expect(clock.now()).toBe(before + 5_000);
  });

  it('the system clock follows when the wall clock jumps ahead, once that has lasted a minute', () => {
    const { clock, pass, set } = machine();
    const before = clock.now();
    set(3_600_000);

    expect(clock.now()).toBe(before);

    pass(59_000);

    expect(clock.now()).toBe(before + 59_000);

    pass(1_000);

    expect(clock.now()).toBe(before + 3_660_000);
  });

  it('the system clock does not follow a wall clock that is forty days ahead for three seconds', () => {
    const { clock, pass, set } = machine();
    const before = clock.now();
    set(40 * 86_400_000);

    for (let second = 0; second < 3; second += 1) {
      expect(clock.now()).toBe(before + second * 1_000);
      pass(1_000);
    }
    set(-40 * 86_400_000);
    pass(3_600_000);

    expect(clock.now()).toBe(before + 3_603_000);
    expect(clock.lastForwardJump()).toBe(Number.NEGATIVE_INFINITY);
  });

  it('the system clock reports the last jump ahead, and ignores small corrections and jumps back', () => {
    const { clock, pass, set } = machine();

    pass(5_000);
    clock.now();
    for (const by of [59_000, -3_600_000]) {
      set(by);
      clock.now();
      expect(clock.lastForwardJump()).toBe(Number.NEGATIVE_INFINITY);
    }
    set(86_400_000);
    clock.now();
    pass(60_000);
    const after = clock.now();

    expect(Math.floor(clock.lastForwardJump())).toBe(after);

    pass(3_600_000);

    expect(clock.now()).toBe(after + 3_600_000);
    expect(Math.floor(clock.lastForwardJump())).toBe(after);
  });
});
