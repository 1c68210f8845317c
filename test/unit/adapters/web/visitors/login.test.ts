import { describe, expect, it } from 'vitest';
import { createLogin, type Login, type LoginSource } from '../../../../../src/adapters/web/visitors/login.ts';
import { createChance } from '../../../../e2e/faults/kill/chance.ts';
import { createFakeClock, type FakeClock } from '../../../../fakes/clock.ts';

const owner = '10.0.0.1';
/** A stranger on a connection of their own. */
const at = (visitor: string, lane?: string): LoginSource => {
  const connection = {};
  return { visitor, known: false, lane: lane ?? connection, connection };
};
const create = () => {
  const clock = createFakeClock();
  return { clock, login: createLogin('open-sesame', clock, createChance('login', 1).next) };
};

/** Guesses on so many connections, on each of them again as soon as it is answered. */
const guess = (login: Login, connections: readonly LoginSource[]) => {
  let judged = 0;
  let on = true;
  const go = async (from: LoginSource): Promise<void> => {
    while (on) if ((await login.try('guess', from)) === 'wrong') judged += 1;
  };
  for (const from of connections) void go(from);
  return {
    judged: () => judged,
    stop() {
      on = false;
    },
  };
};
const many = (count: number, visitor = owner, lane?: string): readonly LoginSource[] =>
  Array.from({ length: count }, () => at(visitor, lane));

/** How long the right password took; undefined: it was not judged meanwhile. */
const timeOf = async (
  login: Login,
  clock: FakeClock,
  from: LoginSource,
  withinMs: number,
): Promise<number | undefined> => {
  const started = clock.now();
  let took: number | undefined;
  void login.try('open-sesame', from).then((verdict) => {
    if (verdict === 'right') took = clock.now() - started;
  });
  await clock.advance(withinMs);
  return took;
};

describe('password attempts', () => {
  it('a right one succeeds after any number of wrong ones from the same address, after a short delay', async () => {
    const { clock, login } = create();
    for (let wrong = 0; wrong < 100; wrong += 1) {
      const verdict = login.try('guess', at(owner));
      await clock.advance(1_000);
      expect(await verdict).toBe('wrong');
    }
    await login.try('guess', at(owner));
    expect(await timeOf(login, clock, at(owner), 1_000)).toBe(1_000);
  });

  it('the delay grows to a second, also for simultaneous attempts', async () => {
    const { clock, login } = create();
    const judged: number[] = [];
    const started = clock.now();
    for (let wrong = 0; wrong < 8; wrong += 1)
      void login.try('guess', at(owner)).then(() => judged.push(clock.now() - started));
    await clock.advance(60_000);
    expect(judged).toEqual([0, 250, 750, 1_750, 2_750, 3_750, 4_750, 5_750]);
  });

  it.each([50, 500, 900])(
    '%i connections at one address guess no faster than one, and do not delay the owner’s browser',
    async (count) => {
      const { clock, login } = create();
      const guesser = guess(login, many(count));
      await clock.advance(60_000);
      const device: LoginSource = { ...at('device'), known: true };
      expect(await timeOf(login, clock, device, 1)).toBe(0);
      const before = guesser.judged();
      await clock.advance(600_000);
      expect((guesser.judged() - before) * 6).toBeLessThanOrEqual(3_600);
      guesser.stop();
      await clock.advance(60_000);
      expect(clock.pending).toBe(0);
    },
  );

  it('a new browser behind 50 connections at its address gets its turn', async () => {
    const { clock, login } = create();
    const guesser = guess(login, many(50));
    await clock.advance(60_000);
    expect(await timeOf(login, clock, at(owner), 55_000)).toBeLessThanOrEqual(55_000);
    guesser.stop();
  });

  it('a new browser behind 200 connections is told to wait, and succeeds later', async () => {
    const { clock, login } = create();
    const guesser = guess(login, many(200));
    await clock.advance(60_000);
    let verdict = 'wait';
    let tries = 0;
    for (; verdict === 'wait' && tries < 100; tries += 1) {
      const judged = login.try('open-sesame', at(owner));
      await clock.advance(55_000);
      verdict = await judged;
    }
    expect(verdict).toBe('right');
    guesser.stop();
  });

  it('cookies of an earlier password do not allow more guesses', async () => {
    const { clock, login } = create();
    const devices = Array.from({ length: 100 }, (_, index) => ({ ...at(`device ${index}`), known: true }));
    const guesser = guess(login, devices);
    await clock.advance(60_000);
    const before = guesser.judged();
    await clock.advance(60_000);
    expect(guesser.judged() - before).toBeLessThanOrEqual(60 * 10);
    guesser.stop();
  });

  it('a visitor whom a proxy distinguishes does not wait behind all attempts of another', async () => {
    const { clock, login } = create();
    const guesser = guess(login, many(50, '172.17.0.1', '203.0.113.66'));
    await clock.advance(20_000);
    expect(await timeOf(login, clock, at('172.17.0.1', '203.0.113.1'), 1_000)).toBeLessThanOrEqual(1_000);
    guesser.stop();
  });

  it('somebody at another address is not delayed', async () => {
    const { clock, login } = create();
    const guesser = guess(
      login,
      Array.from({ length: 50 }, (_, index) => many(20, `10.1.0.${index}`)).flat(),
    );
    await clock.advance(10_000);
    const before = guesser.judged();
    expect(await timeOf(login, clock, at(owner), 100)).toBeLessThanOrEqual(100);
    // However many addresses: ten a second.
    await clock.advance(100_000);
    expect(guesser.judged() - before).toBeLessThanOrEqual(100 * 10 + 1);
    guesser.stop();
  });

  it('a connection carries one try at a time', async () => {
    const { clock, login } = create();
    await login.try('guess', at(owner));
    const from = at(owner);
    const first = login.try('guess', from);
    expect(await login.try('open-sesame', from)).toBe('wait');
    await clock.advance(250);
    expect(await first).toBe('wrong');
    await clock.advance(500);
    expect(await login.try('open-sesame', from)).toBe('right');
  });

  it('a closed connection loses its place, and its attempt does not count', async () => {
    const { clock, login } = create();
    await login.try('guess', at(owner));
    for (let tries = 0; tries < 1_000; tries += 1) {
      const gone = new AbortController();
      const verdict = login.try('guess', at(owner), gone.signal);
      gone.abort();
      expect(await verdict).toBe('wait');
      expect(await login.try('guess', at(owner), gone.signal)).toBe('wait');
    }
    expect(clock.pending).toBe(1);
    expect(await timeOf(login, clock, at(owner), 250)).toBe(250);
  });

  it('wrong ones are forgotten after a while', async () => {
    const { clock, login } = create();
    await login.try('guess', at(owner));
    await clock.advance(16 * 60_000);
    await login.try('guess', at(owner));
    expect(await timeOf(login, clock, at(owner), 250)).toBe(250);
  });
});
