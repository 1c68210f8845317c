/** The whole program, killed again and again between Telegram and the generation service, which both live on. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { eventually } from '../../eventually.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { COMPILED, createDataFolder, NO_LOOKS, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { type Asked, cancelOne, checkAll, endsOn, sendSome, work } from './kill/asked.ts';
import { type Chance, createChance, tell } from './kill/chance.ts';
import { createDeath, type Death, endOf } from './kill/death.ts';
import { createKillService } from './kill/service.ts';
import { createDisk, whyNoDisk } from './power-cut/disk.ts';

/** More for a longer night: KILL_PROGRAM_CYCLES=500 npx vitest run test/e2e/faults/kill-program.test.ts */
const cycles = Number(process.env.KILL_PROGRAM_CYCLES ?? 45);
const cuts = Number(process.env.POWER_CUT_PROGRAM_CYCLES ?? 10);
const main = new URL('../../../src/main.ts', import.meta.url).pathname;
const missing = whyNoDisk();
if (missing !== undefined) console.warn(`SKIPPED: the whole program with power cuts, because ${missing}.`);

/** Every kill is a power cut, too: what was not synced is lost (see power-cut.test.ts). */
function createPower(folder: string, chance: Chance) {
  const [data, work] = [join(folder, 'data'), join(folder, 'disk')];
  mkdirSync(work);
  const disk = createDisk(data, work, 3_000);
  return { env: disk.env, begin: disk.begin, cut: () => disk.cut(chance.pick(['strict', 'torn']), chance) };
}

const ways = [
  { way: 'killed', cycles, hasPower: true },
  ...(missing === undefined ? [{ way: 'cut off from the power', cycles: cuts, hasPower: false }] : []),
];

it.each(ways)(
  'is $way at any moment, and every card gets exactly one end',
  async ({ way, cycles, hasPower }) => {
    const chance = createChance(`program ${way}`);
    const folder = createDataFolder();
    await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
    let death: Death | undefined;
    const service = await createKillService(chance, () => death?.called());
    const telegram = await createFakeTelegram({ flood: 'off' });
    telegram.onCall(({ method }) => work.test(method) && death?.called());
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
    const power = hasPower ? undefined : createPower(folder.path, chance);

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      sendSome(telegram, chance, all);
      power?.begin();
      const child = spawn(process.execPath, [main], {
        cwd: folder.path,
        env: { PATH: process.env.PATH ?? '', HTTP_PORT: '0', LOG_LEVEL: 'error', ...env, ...power?.env },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const calls = Math.max(0, Math.round(chance.between(-4, 30)));
      death = createDeath(child, { calls, ms: chance.between(0, calls === 0 ? 300 : 10) });
      expect(await endOf(child)).toBe('killed');
      power?.cut();
      cancelOne(telegram, chance, all);
    }
    death = undefined;
    const program = await startProgram(folder.path, env);
    for (const asked of all)
      await eventually(() => endsOn(telegram, asked).length > 0, `an end for ${asked.prompt}`);
    expect(await program.stop()).toBe(0);

    const store = await openStore({ path: join(folder.path, 'data/darkroom.sqlite'), keys: [] });
    const counts = await checkAll(store, telegram, service, all);
    store.close();
    tell({ [hasPower ? 'kills' : 'power cuts']: cycles, ...counts });
    expect(telegram.complaints).toEqual([]);
    await telegram.stop();
    await service.close();
    folder.remove();
  },
  3_600_000,
);
