// @module-tag slow
// @module-tag longest
/** Whole programs that are killed while they remove a result: it goes everywhere all the same, and its photo is refused from then on. */

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createTestDatabase } from '../../fakes/postgres.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, type Program, settingsFor, startProgram } from '../program.ts';
import type { Person } from '../stage/chat.ts';
import { jobsOf, settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { telegramChat } from '../stage/telegram-chat.ts';

/** The result of every job, so that the service need not render one. */
const made = await resultOf('#10a0e0', 600, 800);

const SIDE = 12;
/** The part of the width that a crop takes away. */
const CROPPED = 0.06;

/** A picture with much contrast, unlike those of other seeds. */
const patternOf = (seed: number): Promise<Buffer> => {
  let state = seed;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  };
  const pixels = Buffer.from(Array.from({ length: SIDE * SIDE }, () => next() % 256));
  const raw = { width: SIDE, height: SIDE, channels: 1 } as const;
  return sharp(pixels, { raw }).resize(720, 960, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer();
};

const mirrored = (picture: Buffer): Promise<Buffer> => sharp(picture).flop().jpeg({ quality: 60 }).toBuffer();

const cropped = async (picture: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(picture).metadata();
  const left = Math.round(width * CROPPED);
  return sharp(picture)
    .extract({ left, top: 0, width: width - left, height })
    .jpeg()
    .toBuffer();
};

/** Opens a bot of so many programs, all of which are killed and started again at once. */
const openBot = async (stack: AsyncDisposableStack, count: number, env: Readonly<Record<string, string>>) => {
  const folder = createDataFolder();
  stack.defer(() => folder.remove());
  const telegram = await createFakeTelegram({ flood: 'off' });
  stack.defer(telegram.stop);
  const service = await createGenerationService({
    script: { jobs: { queuedMs: 0, runningMs: 40, result: made } },
  });
  stack.defer(service.close);
  let programs: readonly Program[] = [];
  stack.defer(async () => void (await Promise.all(programs.map((program) => program.kill()))));
  const start = async (): Promise<void> => {
    const keys = { GENERATION_API_KEY: service.apiKey, GENERATION_TOKEN: service.token };
    const all = { ...settingsFor(service, telegram), ...keys, CONSENT: 'off', ...env };
    programs = await Promise.all(Array.from({ length: count }, () => startProgram(folder.path, all)));
  };
  await start();
  return {
    telegram,
    service,
    room: telegramChat(telegram).room(),
    /** Kills all programs when Telegram is asked for this, before it answers; resolves when all run again. */
    async killedAt(method: string): Promise<void> {
      let kills: Promise<unknown> | undefined;
      telegram.onCall((call) => {
        if (call.method === method) kills ??= Promise.all(programs.map((program) => program.kill()));
      });
      await eventually(() => kills !== undefined, `a call of ${method}, at which the programs are killed`);
      await kills;
      await start();
    },
  };
};

/** The calls of Telegram during which the program dies, each while another result is removed. */
const MOMENTS = [
  { method: 'getFile', when: 'it fetches the photo that is refused from then on' },
  { method: 'deleteMessage', when: 'it deletes the messages with the result' },
  { method: 'sendMessage', when: 'it answers' },
] as const;

const picturesIn = (person: Person): number =>
  person.seenByAll().filter(({ media }) => media !== undefined).length;

/** Removes a result for each of the moments at which all programs are killed: it goes, and copies of its photo are refused. */
const expectRemovalsThroughKills = async (
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  await using stack = new AsyncDisposableStack();
  const bot = await openBot(stack, count, env);
  const ann = bot.room.person('Ann');
  const bob = bot.room.person('Bob');
  const mod = bot.room.person('Mod');
  mod.moderates(true);

  for (const [round, { method, when }] of MOMENTS.entries()) {
    const photo = await patternOf(round + 1);
    const result = await ann.types({ ...swap, photos: { photo } }).result();
    await ann
      .presses(result, 'Before / after')
      .until(({ text }) => text.includes('Before'), 'the comparison');
    await eventually(() => picturesIn(ann) === 2, 'the result and its comparison');
    const job = ann.actionOf(result, 'Again').split(':').at(-1) ?? '';
    await jobsOf(ann, ({ text }) => text.includes('done'), 'the job to be done');

    const killed = bot.killedAt(method);
    mod.types(settings('remove', { result: job, reason: 'she asked' }));
    await killed;

    await eventually(() => picturesIn(ann) === 0, `the result to go after a kill while ${when}`);

    const accepted = bot.service.accepted();
    for (const copy of [photo, await mirrored(photo), await cropped(photo)])
      await bob.types({ ...swap, photos: { photo: copy } }).says('This photo cannot be used here.');
    expect(bot.service.accepted()).toBe(accepted);
    await mod.types(settings('remove', { result: job })).says('was removed before');
  }
};

describe('a program that is killed while it removes a result', () => {
  it('leaves no message with the result, and refuses copies of its photo, with SQLite', {
    timeout: 600_000,
  }, async () => {
    await expectRemovalsThroughKills(1, {});
  });

  it('leaves no message with the result, and refuses copies of its photo, with two programs on one PostgreSQL', {
    tags: ['postgres'],
    timeout: 600_000,
  }, async () => {
    await using database = await createTestDatabase();
    await expectRemovalsThroughKills(2, { STORE_URL: database.url });
  });
});
