/** The whole program, killed again and again between Telegram and the generation service, which both live on. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isFinal } from '../../src/orchestrator/job/job.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import { eventually } from '../eventually.ts';
import type { FakePerson } from '../fakes/telegram/people.ts';
import { createFakeTelegram, type FakeTelegram } from '../fakes/telegram/telegram.ts';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import { type Chance, createChance, tell } from './kill/chance.ts';
import { createDeath, type Death, endOf } from './kill/death.ts';
import { createKillService, type KillService } from './kill/service.ts';
import { createDisk, whyNoDisk } from './power-cut/disk.ts';
import { createDataFolder, startProgram } from './program.ts';
import { teachQuickness } from './stage/experience.ts';
import { photoOf } from './stage/pictures.ts';

/** More for a longer night: KILL_PROGRAM_CYCLES=500 npx vitest run test/e2e/kill-program.test.ts */
const cycles = Number(process.env.KILL_PROGRAM_CYCLES ?? 60);
const cuts = Number(process.env.POWER_CUT_PROGRAM_CYCLES ?? 10);
const main = new URL('../../src/main.ts', import.meta.url).pathname;
/** Not what every start begins with. */
const work = /^(send|edit|answer|getFile)/;
const photo = await photoOf('#c02020');

interface Asked {
  readonly person: FakePerson;
  readonly prompt: string;
}

const wishes = ['a portrait', 'a landscape', 'refused by the service', 'failing at the service'];

/** Everybody asks once, in a chat of their own: the platform's limits are not what this is about. */
const sendSome = (telegram: FakeTelegram, chance: Chance, all: Asked[]): void => {
  for (let i = 0; i < 3; i += 1) {
    const person = telegram.person(`Person ${all.length}`);
    const wish = wishes[Math.floor(chance.between(0, wishes.length))] ?? '';
    const prompt = `${wish} ${all.length}`;
    telegram.openPrivate(person);
    person.says(person.chat, `/faceswap prompt="${prompt}" gender=female`, { photo });
    all.push({ person, prompt });
  }
};

/** Somebody changes their mind. */
const cancelOne = (telegram: FakeTelegram, chance: Chance, all: readonly Asked[]): void => {
  const { person } = all[Math.floor(chance.between(0, all.length))] ?? {};
  const card = person && telegram.fromBot(person.chat).find(({ reply_markup: keys }) => keys !== undefined);
  const labels = card?.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? [];
  if (card && labels.includes('Cancel')) person?.presses(card, 'Cancel');
};

const textOf = (message: StoredMessage): string =>
  (message.text ?? message.caption ?? '').replaceAll('\u2060', '');

/** How a job can end on its card, in the words that people read there. */
const endings = {
  done: /AI-generated/,
  failed: /refunded/,
  cancelled: /Cancelled\./,
  uncertain: /not certain whether/,
};

const endOn = (message: StoredMessage): string | undefined => {
  const found = Object.entries(endings).flatMap(([state, words]) =>
    words.test(textOf(message)) ? [state] : [],
  );
  // A cancelled card also says that credits went back.
  return found.includes('cancelled') ? 'cancelled' : found[0];
};

const endsOn = (telegram: FakeTelegram, { person }: Asked): string[] =>
  telegram.fromBot(person.chat).flatMap((message) => endOn(message) ?? []);

/**
 * Telegram cannot be asked whether a message was sent: a kill between sending a card and writing that down leaves one
 * that stays as it was. Nothing else may ever be said beside the card.
 */
const lostCards = (telegram: FakeTelegram, asked: Asked): number => {
  const more = telegram.fromBot(asked.person.chat).filter((message) => endOn(message) === undefined);
  for (const message of more) {
    expect(textOf(message)).toContain(asked.prompt);
    expect(message.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['Cancel']);
  }
  return more.length;
};

async function check(path: string, telegram: FakeTelegram, { runs }: KillService, all: readonly Asked[]) {
  const { jobs, usage, audit, close } = openStore({ path, keys: [] });
  const counts = { jobs: all.length, 'run calls': 0, 'credits spent': 0, 'cards too many': 0 };
  const states: Record<string, number> = {};
  for (const asked of all) {
    const { user } = asked.person;
    const own = await jobs.ofPerson(`telegram:${user.id}`, 1_000_000);
    expect(own, `jobs for ${asked.prompt}`).toHaveLength(1);
    const [job] = own;
    if (job === undefined) continue;
    expect(isFinal(job.state) && job.settled, `${asked.prompt} has ended`).toBe(true);
    const ends = endsOn(telegram, asked);
    expect(new Set(ends), `ends on the cards of ${asked.prompt}`).toEqual(new Set([job.state]));
    // Cancelled on a card whose sending was not written down: the next one is sent as cancelled.
    if (job.state !== 'cancelled') expect(ends).toHaveLength(1);

    const taken = runs.get(asked.prompt) ?? 0;
    expect(taken, `run calls for ${asked.prompt}`).toBeLessThanOrEqual(1);
    if (job.state === 'done') expect(taken).toBe(1);
    if (job.state === 'failed') expect(job.charge).toBe('returned');
    else if (job.state !== 'cancelled' || taken === 1) expect(job.charge).toBe('spent');
    const spent = job.charge === 'spent' ? job.credits : 0;
    const counted = await usage.person(job.day, job.place.community, `telegram:${user.id}`);
    expect(counted, `credits of ${asked.prompt}`).toMatchObject({ reserved: 0, spent, jobs: 1 });

    const lines = (await audit.recent(job.place.community, 10)).filter(({ action }) => action === 'job');
    expect(lines, `audit lines of ${asked.prompt}`).toHaveLength(1);

    states[job.state] = (states[job.state] ?? 0) + 1;
    counts['run calls'] += taken;
    counts['credits spent'] += spent;
    counts['cards too many'] += lostCards(telegram, asked);
  }
  close();
  return { ...counts, ...states };
}

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
    await teachQuickness(folder.path);
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
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      SERVICE_CALLS_PER_SECOND: '1000',
      NODE_COMPILE_CACHE: join(folder.path, 'compiled'),
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

    const counts = await check(join(folder.path, 'data/darkroom.sqlite'), telegram, service, all);
    tell({ [hasPower ? 'kills' : 'power cuts']: cycles, ...counts });
    expect(telegram.complaints).toEqual([]);
    await telegram.stop();
    await service.close();
    folder.remove();
  },
  3_600_000,
);
