// @module-tag slow
// @module-tag longest
/**
 * The whole program, killed again and again between Telegram and the generation service, which both live on. A power cut is
 * a kill after which what was not yet synced is lost (power-cut/).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { eventually } from '../../eventually.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { COMPILED, createDataFolder, main, NO_LOOKS, settingsFor, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { type Asked, cancelOne, checkAll, endsOn, sendSome, work } from './kill/asked.ts';
import { createChance, tell } from './kill/chance.ts';
import { createDeath } from './kill/death.ts';
import { createKillService } from './kill/service.ts';
import { canCutPower, createDisk } from './power-cut/disk.ts';

/** More for a longer night: KILL_CYCLES=500 POWER_CUTS=300 npx vitest run test/e2e/faults/kill.test.ts */
const { KILL_CYCLES = '45', POWER_CUTS = '20' } = process.env;
/** A disk needs a while: a sync that is not waited for shows. */
const SYNC_MICROSECONDS = 10_000;

const ways = [
  { way: 'killed', cycles: Number(KILL_CYCLES), hasPower: true },
  ...(canCutPower ? [{ way: 'cut off from the power', cycles: Number(POWER_CUTS), hasPower: false }] : []),
];

it.each(ways)(
  'a program is $way at any moment, and every card gets exactly one end',
  async ({ way, cycles, hasPower }) => {
    const chance = createChance(`program ${way}`);
    const folder = createDataFolder();

    await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
    let called = (): void => undefined;
    const service = await createKillService(chance, () => called());
    const telegram = await createFakeTelegram({ flood: 'off' });
    telegram.onCall(({ method }) => work.test(method) && called());
    const env = {
      ...settingsFor(service, telegram),
      CONSENT: 'off',
      ...NO_LOOKS,
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      SERVICE_CALLS_PER_SECOND: '1000',
      ...COMPILED,
    };
    const all: Asked[] = [];
    const disk = hasPower ? undefined : createDisk(join(folder.path, 'data'), folder.path, SYNC_MICROSECONDS);
    let lost = 0;

    // A cut that loses nothing proves nothing: it goes on until one has lost what was not synced.
    const isProven = (): boolean => disk === undefined || lost > 0;
    for (let cycle = 0; cycle < cycles || (!isProven() && cycle < 10 * cycles); cycle += 1) {
      sendSome(telegram, chance, all);
      disk?.begin();
      const child = spawn(process.execPath, [main], {
        cwd: folder.path,
        env: { PATH: process.env.PATH ?? '', HTTP_PORT: '0', LOG_LEVEL: 'error', ...env, ...disk?.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      // With no calls at all the program dies in the middle of its start.
      const calls = Math.max(0, Math.round(chance.between(-2, 14)));
      const exited = once(child, 'exit');
      const ms = chance.between(0, calls === 0 ? 300 : 10);
      called = createDeath(child, { calls, ms }).called;
      expect(await exited).toEqual([null, 'SIGKILL']);
      lost += disk?.cut(chance.pick(['strict', 'torn']), chance) ?? 0;
      cancelOne(telegram, chance, all);
    }
    called = () => undefined;
    const program = await startProgram(folder.path, env);
    for (const asked of all)
      await eventually(() => endsOn(telegram, asked).length > 0, `an end for ${asked.prompt}`);

    expect(await program.stop()).toBe(0);

    const store = await openSqliteStore({ path: join(folder.path, 'data/darkroom.sqlite'), keys: [] });
    const counts = await checkAll(store, telegram, service, all);
    store.close();
    tell({ [hasPower ? 'kills' : 'power cuts']: cycles, 'bytes lost': lost, ...counts });

    expect(isProven()).toBe(true);
    expect(telegram.complaints).toEqual([]);

    await telegram.stop();
    await service.close();
    folder.remove();
  },
  3_600_000,
);
