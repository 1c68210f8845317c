// @module-tag slow
import { beforeEach, describe, expect, it } from 'vitest';
import type { SharedPace } from '../../../src/base/members/members.ts';
import { type AttemptSource, createPasswordCheck } from '../../../src/sign-in/sign-in.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';

/** Long enough for both lines to be full, and to count what is checked. */
const A_WHILE_MS = 25_000;
const RIGHT_ONE_MS = 20_000;
const proxy = '10.0.0.1';
const at = (visitor: string): AttemptSource => ({ visitor, known: false });
const device = (name: string): AttemptSource => ({ visitor: name, known: true });
type PasswordCheck = ReturnType<typeof createPasswordCheck>;
let clock: FakeClock;
let check: PasswordCheck;

beforeEach(() => {
  clock = createFakeClock();
  check = createPasswordCheck('open-sesame', clock);
});

/** A pace that processes on one database share. */
const createPace = (): SharedPace => {
  let free = clock.now();
  return {
    async reserve(ms) {
      const begin = Math.max(free, clock.now());
      free = begin + ms;
      return { delayMs: begin - clock.now(), lateMs: 0 };
    },
  };
};

/** Guesses on so many connections at once: on each of them again as soon as it is answered, or a while after it was refused. */
const guess = (
  connections: number,
  nextSource: () => AttemptSource,
  checks: readonly PasswordCheck[] = [check],
) => {
  /** When each wrong password was checked. */
  const checked: number[] = [];
  let isOn = true;
  const guessOn = async (check: PasswordCheck | undefined): Promise<void> => {
    while (isOn && check !== undefined) {
      const verdict = await check.try('guess', nextSource());
      if (verdict === 'wrong') checked.push(clock.now());
      else await new Promise<void>((done) => clock.after(10_000, done));
    }
  };
  for (let index = 0; index < connections; index += 1) void guessOn(checks[index % checks.length]);
  return {
    checked,
    stop() {
      isOn = false;
    },
  };
};

const mostInOneSecond = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length));

/** How long the right password took; undefined: it was not let in meanwhile. */
const timeOfRightOne = async (from: AttemptSource, through = check): Promise<number | undefined> => {
  const began = clock.now();
  let took: number | undefined;
  void through.try('open-sesame', from).then((verdict) => {
    if (verdict === 'right') took = clock.now() - began;
  });
  await clock.advance(RIGHT_ONE_MS);
  return took;
};

const madeUpAddresses = () => {
  let made = 0;
  return (): AttemptSource => {
    made += 1;
    return at(`2001:db8:0:${made.toString(16)}::/64`);
  };
};

describe('wrong passwords', () => {
  it('wrong passwords are checked one after the other, the first at once', async () => {
    const began = clock.now();
    const checked: number[] = [];

    for (let wrong = 0; wrong < 4; wrong += 1)
      void check.try('guess', at(proxy)).then(() => checked.push(clock.now() - began));
    await clock.advance(10_000);

    expect(checked).toEqual([0, 105, 210, 315]);
  });

  it.each([
    { what: 'one address', createSource: () => () => at(proxy) },
    { what: 'made-up addresses, a new one for each', createSource: madeUpAddresses },
    { what: 'browsers that signed in with an earlier password', createSource: () => () => device('old') },
  ])(
    'wrong passwords from $what are at most ten in any second, on any number of connections',
    async ({ createSource }) => {
      for (const connections of [1, 50, 300]) {
        const guesser = guess(connections, createSource());
        await clock.advance(A_WHILE_MS);
        guesser.stop();
        await clock.advance(A_WHILE_MS);
        expect(guesser.checked.length).toBeGreaterThan(200);
        expect(mostInOneSecond(guesser.checked)).toBeLessThanOrEqual(10);
      }
    },
  );

  it('wrong passwords from strangers and from known browsers are at most ten in any second together', async () => {
    const strangers = guess(50, madeUpAddresses());
    const known = guess(50, () => device('old'));

    await clock.advance(A_WHILE_MS);
    expect(mostInOneSecond([...strangers.checked, ...known.checked])).toBeLessThanOrEqual(10);
    expect(known.checked.length).toBeGreaterThan(30);

    strangers.stop();
    known.stop();
  });

  it('wrong passwords at several processes are at most ten in any second together', async () => {
    const pace = createPace();
    const checks = [1, 2, 3].map(() => createPasswordCheck('open-sesame', clock, pace));
    const guesser = guess(60, madeUpAddresses(), checks);

    await clock.advance(A_WHILE_MS);
    guesser.stop();

    expect(guesser.checked.length).toBeGreaterThan(200);
    expect(mostInOneSecond(guesser.checked)).toBeLessThanOrEqual(10);
  });

  it('wrong passwords are one a second while the store cannot say what other processes check', async () => {
    check = createPasswordCheck('open-sesame', clock, { reserve: () => Promise.reject(new Error('away')) });
    const guesser = guess(50, () => at(proxy));
    await clock.advance(10_000);
    guesser.stop();

    expect(mostInOneSecond(guesser.checked)).toBe(1);
    expect(guesser.checked).toHaveLength(10);
  });

  it('wrong passwords are one in two seconds while the store does not answer at all', async () => {
    check = createPasswordCheck('open-sesame', clock, { reserve: () => new Promise(() => undefined) });
    const guesser = guess(50, () => at(proxy));
    await clock.advance(10_000);
    guesser.stop();

    expect(guesser.checked).toHaveLength(5);
  });
});

describe('the right password', () => {
  it('the right password is let in at once where nobody guesses, and right ones do not delay each other', async () => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => check.try('open-sesame', at(proxy))));
    expect(new Set(verdicts)).toEqual(new Set(['right']));
    expect(clock.pending).toBe(0);
  });

  it.each([
    { source: 'its own address', createSource: () => () => at(proxy) },
    { source: 'other addresses', createSource: madeUpAddresses },
  ])(
    'the right password is let in within 20 s beside 50 connections that guess from $source',
    async ({ createSource }) => {
      const guesser = guess(50, createSource());

      await clock.advance(A_WHILE_MS);
      for (let time = 0; time < 2; time += 1)
        expect(await timeOfRightOne(at(proxy))).toBeLessThan(RIGHT_ONE_MS);

      guesser.stop();
    },
  );

  it('the right password is let in within 20 s by each process while 50 connections guess at one or at all', async () => {
    const pace = createPace();
    const checks = [1, 2, 3, 4].map(() => createPasswordCheck('open-sesame', clock, pace));

    for (const attacked of [checks.slice(0, 1), checks]) {
      const guesser = guess(50, () => at(proxy), attacked);
      await clock.advance(A_WHILE_MS);
      for (const each of checks) expect(await timeOfRightOne(at(proxy), each)).toBeLessThan(RIGHT_ONE_MS);
      guesser.stop();
      await clock.advance(A_WHILE_MS);
    }
  });

  it('the right password is let in within 20 s from another address, and from a known browser, beside full lines', async () => {
    const strangers = guess(200, () => at(proxy));
    const known = guess(100, () => device('old'));

    await clock.advance(A_WHILE_MS);
    expect(await timeOfRightOne(at('10.0.0.2'))).toBeLessThan(RIGHT_ONE_MS);
    expect(await timeOfRightOne(device('own'))).toBeLessThan(RIGHT_ONE_MS);

    strangers.stop();
    known.stop();
  });

  it('the right password from a known browser waits for no line of strangers', async () => {
    const guesser = guess(100, madeUpAddresses());
    await clock.advance(A_WHILE_MS);
    expect(await timeOfRightOne(device('own'))).toBeLessThan(1_000);

    guesser.stop();
  });
});

describe('an attempt', () => {
  it('an attempt to sign in is not checked when the line is full, and answered so at once', async () => {
    const guesser = guess(300, madeUpAddresses());
    await clock.advance(500);
    expect(await check.try('open-sesame', at('2001:db8:1:1::/64'))).toBe('wait');

    guesser.stop();
    await clock.advance(A_WHILE_MS);
    expect(await check.try('open-sesame', at('2001:db8:1:1::/64'))).toBe('right');
  });

  it('an attempt to sign in whose client hangs up is not checked, and its place is free', async () => {
    await check.try('guess', at(proxy));
    const gone = new AbortController();
    const left = Array.from({ length: 50 }, () => check.try('open-sesame', at(proxy), gone.signal));
    gone.abort();

    expect(new Set(await Promise.all(left))).toEqual(new Set(['wait']));
    expect(await timeOfRightOne(at(proxy))).toBeLessThanOrEqual(105);
    expect(await check.try('open-sesame', at(proxy), gone.signal)).toBe('wait');
    expect(clock.pending).toBe(0);
  });

  it('an attempt to sign in is answered no sooner for being right, so that hanging up early tells nothing', async () => {
    const times: Record<string, number> = {};
    for (const typed of ['guess', 'open-sesame']) {
      void check.try('guess', at(proxy));
      const began = clock.now();
      void check.try(typed, at(proxy)).then(() => {
        times[typed] = clock.now() - began;
      });
      await clock.advance(A_WHILE_MS);
    }
    expect(times).toEqual({ guess: 105, 'open-sesame': 105 });
  });
});
