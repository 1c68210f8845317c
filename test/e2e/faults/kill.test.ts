/**
 * The whole program, killed again and again between Telegram and the generation service, which both live on. A power cut is
 * a kill after which what was not yet synced is lost (power-cut/).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { eventually } from '../../eventually.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { COMPILED, createDataFolder, main, NO_LOOKS, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { type Asked, cancelOne, checkAll, endsOn, sendSome, work } from './kill/asked.ts';
import { createChance, tell } from './kill/chance.ts';
import { createKillService } from './kill/service.ts';
import { canCutPower, createDisk } from './power-cut/disk.ts';

/** More for a longer night: KILL_CYCLES=500 POWER_CUTS=300 npx vitest run test/e2e/faults/kill.test.ts */
const { KILL_CYCLES = '45', POWER_CUTS = '20' } = process.env;
/** A disk needs a while: a sync that is not waited for shows. */
const SYNC_MICROSECONDS = 10_000;

/** From its start to its first call, on a busy machine. */
const LONGEST_START_MS = 5_000;
/** Nothing is left to do: it need not be waited for. */
const IDLE_MS = 150;

/** Kills it so long after it has made so many calls: a busy machine makes that later, not another moment of its work. */
const createDeath = (child: ChildProcess, calls: number, ms: number): (() => void) => {
  const die = (): void => void child.kill('SIGKILL');
  let left = calls;
  let timer = setTimeout(die, calls === 0 ? ms : LONGEST_START_MS);
  return () => {
    if (left <= 0) return;
    left -= 1;
    clearTimeout(timer);
    timer = setTimeout(die, left === 0 ? ms : IDLE_MS);
  };
};

const ways = [
  { way: 'killed', cycles: Number(KILL_CYCLES), hasPower: true },
  ...(canCutPower ? [{ way: 'cut off from the power', cycles: Number(POWER_CUTS), hasPower: false }] : []),
];

it.each(ways)(
  'is $way at any moment, and every card gets exactly one end',
  async ({ way, cycles, hasPower }) => {
    const chance = createChance(`program ${way}`);
    const folder = createDataFolder();
    await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
    let called = (): void => undefined;
    const service = await createKillService(chance, () => called());
    const telegram = await createFakeTelegram({ flood: 'off' });
    telegram.onCall(({ method }) => work.test(method) && called());
    const env = {
      GENERATION_URL: service.url,
      GENERATION_API_KEY: 'key',
      GENERATION_TOKEN: 'token',
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      CONSENT: 'off',
      ...NO_LOOKS,
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      SERVICE_CALLS_PER_SECOND: '1000',
      ...COMPILED,
    };
    const all: Asked[] = [];
    mkdirSync(join(folder.path, 'disk'));
    const disk = hasPower
      ? undefined
      : createDisk(join(folder.path, 'data'), join(folder.path, 'disk'), SYNC_MICROSECONDS);
    let lost = 0;

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      sendSome(telegram, chance, all);
      disk?.begin();
      const child = spawn(process.execPath, [main], {
        cwd: folder.path,
        env: { PATH: process.env.PATH ?? '', HTTP_PORT: '0', LOG_LEVEL: 'error', ...env, ...disk?.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      // No calls at all: it dies in the middle of its start.
      const calls = Math.max(0, Math.round(chance.between(-2, 14)));
      const exited = once(child, 'exit');
      called = createDeath(child, calls, chance.between(0, calls === 0 ? 300 : 10));
      expect(await exited).toEqual([null, 'SIGKILL']);
      lost += disk?.cut(chance.pick(['strict', 'torn']), chance) ?? 0;
      cancelOne(telegram, chance, all);
    }
    called = () => undefined;
    const program = await startProgram(folder.path, env);
    for (const asked of all)
      await eventually(() => endsOn(telegram, asked).length > 0, `an end for ${asked.prompt}`);
    expect(await program.stop()).toBe(0);

    const store = await openStore({ path: join(folder.path, 'data/darkroom.sqlite'), keys: [] });
    const counts = await checkAll(store, telegram, service, all);
    store.close();
    tell({ [hasPower ? 'kills' : 'power cuts']: cycles, 'bytes lost': lost, ...counts });
    if (!hasPower) expect(lost).toBeGreaterThan(0);
    expect(telegram.complaints).toEqual([]);
    await telegram.stop();
    await service.close();
    folder.remove();
  },
  3_600_000,
);
