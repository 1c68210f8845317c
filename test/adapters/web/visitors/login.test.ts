import { beforeEach, describe, expect, it } from 'vitest';
import { createLogin, type LoginSource } from '../../../../src/adapters/web/visitors/sign-in.ts';
import type { KeyValue } from '../../../../src/base/key-value.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import { holds } from '../../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { createRecords } from '../../../fakes/records.ts';

const owner = '10.0.0.1';
const at = (visitor: string): LoginSource => ({ visitor, known: false });
type Login = ReturnType<typeof createLogin>;
const create = (state: KeyValue = createRecords()): Login => createLogin('open-sesame', state, clock);
let clock: FakeClock;
let login: Login;
beforeEach(() => {
  clock = createFakeClock();
  login = create();
});

/** Guesses on so many connections, on each of them again as soon as it is answered, or a while after it was refused. */
const guess = (connections: readonly LoginSource[], logins: readonly Login[] = [login]) => {
  let judged = 0;
  let on = true;
  const go = async (from: LoginSource, login: Login): Promise<void> => {
    while (on) {
      const verdict = await login.try('guess', from);
      if (verdict === 'wrong') judged += 1;
      else await new Promise<void>((done) => clock.after(20_000, done));
    }
  };
  connections.forEach((from, index) => {
    for (const login of logins.slice(index % logins.length, (index % logins.length) + 1))
      void go(from, login);
  });
  return {
    judged: () => judged,
    stop() {
      on = false;
    },
  };
};
const many = (count: number, visitor = owner): readonly LoginSource[] =>
  Array.from({ length: count }, () => at(visitor));

/** How long the right password took; undefined: it was not judged meanwhile. */
const timeOf = async (from: LoginSource, withinMs: number): Promise<number | undefined> => {
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
    for (let wrong = 0; wrong < 100; wrong += 1) {
      const verdict = login.try('guess', at(owner));
      await clock.advance(1_000);
      expect(await verdict).toBe('wrong');
    }
    await login.try('guess', at(owner));
    expect(await timeOf(at(owner), 1_000)).toBe(1_000);
  });

  it('the delay grows to a second, also for simultaneous attempts', async () => {
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
      const guesser = guess(many(count));
      await clock.advance(60_000);
      const device: LoginSource = { ...at('device'), known: true };
      expect(await timeOf(device, 1)).toBe(0);
      const before = guesser.judged();
      await clock.advance(600_000);
      expect((guesser.judged() - before) * 6).toBeLessThanOrEqual(3_600);
      guesser.stop();
      await clock.advance(60_000);
      expect(clock.pending).toBe(0);
    },
  );

  it('a new browser behind 50 connections at its address gets its turn', async () => {
    const guesser = guess(many(50));
    await clock.advance(60_000);
    expect(await timeOf(at(owner), 55_000)).toBeLessThanOrEqual(55_000);
    guesser.stop();
  });

  it('a new browser behind 200 connections is told to wait, and one that signed in before is let in', async () => {
    const guesser = guess(many(200));
    await clock.advance(60_000);
    expect(await login.try('open-sesame', at(owner))).toBe('wait');
    expect(await login.try('open-sesame', { ...at('device'), known: true })).toBe('right');
    guesser.stop();
    await clock.advance(60_000);
    expect(await login.try('open-sesame', at(owner))).toBe('right');
  });

  let made = 0;
  const madeUp: LoginSource = {
    get visitor() {
      made += 1;
      return `172.17.0.1 ${made}`;
    },
    known: false,
    isClaimed: true,
  };
  const devices = Array.from({ length: 100 }, (_, index) => ({ ...at(`device ${index}`), known: true }));
  it.each([
    ['at several processes are checked no more often', 3, [...many(30), ...many(30, '10.0.0.2')], 2 * 60],
    ['with cookies of an earlier password are ten a second', 1, devices, 60 * 10],
    ['from made-up addresses are ten a second', 1, Array.from({ length: 50 }, () => madeUp), 60 * 10],
  ])('%s', async (_, processes, connections, most) => {
    const state = createRecords();
    const logins = Array.from({ length: processes }, () => create(state));
    const guesser = guess(connections, logins);
    await clock.advance(60_000);
    const before = guesser.judged();
    await clock.advance(60_000);
    expect(guesser.judged() - before).toBeGreaterThan(most / 2);
    expect(guesser.judged() - before).toBeLessThanOrEqual(most + 1);
    guesser.stop();
  });

  it('somebody at another address is not delayed', async () => {
    const guesser = guess(Array.from({ length: 50 }, (_, index) => many(20, `10.1.0.${index}`)).flat());
    await clock.advance(10_000);
    const before = guesser.judged();
    expect(await timeOf(at(owner), 100)).toBeLessThanOrEqual(100);
    // However many addresses: ten a second.
    await clock.advance(100_000);
    expect(guesser.judged() - before).toBeLessThanOrEqual(100 * 10 + 1);
    guesser.stop();
  });

  it('a client that leaves is not answered, and nothing waits for it', async () => {
    await login.try('guess', at(owner));
    const gone = new AbortController();
    const verdict = login.try('guess', at(owner), gone.signal);
    gone.abort();
    expect(await verdict).toBe('wait');
    expect(clock.pending).toBe(0);
  });

  it('while the store is away, no more than a few dozen of a visitor are checked in a second', async () => {
    const away = Object.assign(createRecords(), { update: () => Promise.reject(new Error('away')) });
    login = create(away);
    const guesser = guess(many(500));
    await clock.advance(10_000);
    guesser.stop();
    expect(guesser.judged()).toBeGreaterThan(0);
    expect(guesser.judged()).toBeLessThanOrEqual(550);
  });

  it('right ones do not delay each other', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => login.try('open-sesame', at(owner))));
    expect(new Set(all)).toEqual(new Set(['right']));
  });

  it('wrong ones are forgotten after a while', async () => {
    const store = await openStore({ path: ':memory:', keys: [], now: clock.now });
    login = create(store.keyv('adapter:web', { isValid: () => true }));
    const first = Array.from({ length: 4 }, () => login.try('guess', at(owner)));
    await holds(() => expect(clock.pending).toBe(3));
    await clock.advance(16 * 60_000);
    await Promise.all(first);
    await login.try('guess', at(owner));
    const right = login.try('open-sesame', at(owner));
    await holds(() => expect(clock.pending).toBe(1));
    await clock.advance(250);
    expect(await right).toBe('right');
    store.close();
  });

  it('a clock that was far ahead locks nobody out', async () => {
    const state = createRecords();
    await state.set(`web:login:${owner}`, { wrong: 3, freeAt: clock.now() + 3_600_000 });
    expect(await create(state).try('open-sesame', at(owner))).toBe('right');
  });
});
