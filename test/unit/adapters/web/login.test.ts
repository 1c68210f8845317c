import { describe, expect, it } from 'vitest';
import { createLogin } from '../../../../src/adapters/web/login.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const owner = '10.0.0.1';
const create = () => {
  const clock = createFakeClock();
  return { clock, login: createLogin('open-sesame', clock) };
};

describe('tries at the password', () => {
  it('a right one gets in after any number of wrong ones from its own address, after a short delay', async () => {
    const { clock, login } = create();
    const started = clock.now();
    for (let wrong = 0; wrong < 100; wrong += 1) {
      const verdict = login.try('guess', owner);
      await clock.advance(2_000);
      expect(await verdict).toBe('wrong');
    }
    const verdict = login.try('open-sesame', owner);
    await clock.advance(2_000);
    expect(await verdict).toBe('right');
    expect(clock.now() - started).toBe(101 * 2_000);
  });

  it('the delay grows to two seconds, and tries that come together are no faster', async () => {
    const { clock, login } = create();
    const judged: number[] = [];
    const started = clock.now();
    for (let wrong = 0; wrong < 8; wrong += 1)
      void login.try('guess', owner).then(() => judged.push(clock.now() - started));
    await clock.advance(60_000);
    expect(judged).toEqual([0, 250, 750, 1_750, 3_750, 5_750, 7_750, 9_750]);
  });

  it('somebody at another address gets in at once, whatever is tried elsewhere', async () => {
    const { login } = create();
    const attackers = Array.from({ length: 1_000 }, (_, index) => `10.1.${index >> 8}.${index & 255}`);
    for (const attacker of attackers)
      for (let tries = 0; tries < 20; tries += 1) void login.try('guess', attacker);
    expect(await login.try('open-sesame', owner)).toBe('right');
  });

  it('few wait at once: those of one address, and all together', async () => {
    const { clock, login } = create();
    const count = async (all: readonly Promise<string>[], verdict: string): Promise<number> => {
      await clock.advance(120_000);
      return (await Promise.all(all)).filter((each) => each === verdict).length;
    };
    // One is judged at once, ten wait.
    const ofOne = Array.from({ length: 50 }, () => login.try('guess', owner));
    expect(await count(ofOne, 'wait')).toBe(50 - 11);
    const ofAll = Array.from({ length: 5_000 }, (_, index) => login.try('guess', `10.2.0.${index % 200}`));
    expect(await count(ofAll, 'wrong')).toBe(200 + 200);
    expect(clock.pending).toBe(0);
  });

  it('who does not wait for the answer gives up the place, and has tried nothing', async () => {
    const { clock, login } = create();
    await login.try('guess', owner);
    for (let tries = 0; tries < 1_000; tries += 1) {
      const gone = new AbortController();
      const verdict = login.try('guess', owner, gone.signal);
      gone.abort();
      expect(await verdict).toBe('wait');
    }
    expect(clock.pending).toBe(1);
    const verdict = login.try('open-sesame', owner);
    await clock.advance(250);
    expect(await verdict).toBe('right');
  });

  it('wrong ones are forgotten after a while', async () => {
    const { clock, login } = create();
    await login.try('guess', owner);
    await clock.advance(16 * 60_000);
    await login.try('guess', owner);
    const verdict = login.try('open-sesame', owner);
    await clock.advance(250);
    expect(await verdict).toBe('right');
  });
});
