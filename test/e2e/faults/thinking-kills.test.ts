/** A program that is killed after Discord's "thinking…": whoever comes next answers it, and nothing is spent or done twice. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsFor } from '../../../src/words/words.ts';
import { eventually, holds } from '../../eventually.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { display } from '../../fakes/discord/markdown.ts';
import type { Sent } from '../../fakes/discord/people.ts';
import { LOADING } from '../../fakes/discord/world.ts';
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../fakes/postgres.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { envOf, photo } from '../discord/setting.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { resultOf } from '../stage/pictures.ts';
import { createRecorder, type Recorder } from '../stage/recorder.ts';

/** More for a longer night: THINKING_KILLS=20 npx vitest run --project slow test/e2e/faults/thinking-kills.test.ts */
const kills = Number(process.env.THINKING_KILLS ?? 3);
/** The kill comes at some moment of so long after "thinking…". */
const WITHIN_MS = 50;

const ways = ['gateway', 'HTTP', ...(postgresUrl === undefined ? [] : ['PostgreSQL'])] as const;

describe.each(ways)('a kill after "thinking…", %s', (way) => {
  const folder = createDataFolder();
  let database: TestDatabase | undefined;
  let service: GenerationService;
  let recorder: Recorder;
  let discord: FakeDiscord;
  let programs: Program[] = [];

  const start = async (): Promise<Program> => {
    const program = await startProgram(folder.path, {
      ...envOf(discord, service, recorder),
      ...(way === 'HTTP' ? { DISCORD_PUBLIC_KEY: discord.http.publicKey } : {}),
      ...(database === undefined ? {} : { STORE_URL: database.url }),
    });
    if (way === 'HTTP') discord.http.url = `${program.url}/discord/interactions`;
    return program;
  };
  /** Of the programs on one database, the one that has the shard. */
  const holder = async (): Promise<Program> => {
    if (database === undefined) return programs[0] ?? start();
    const { query } = database;
    return eventually(async () => {
      const rows = await query(`SELECT name FROM members WHERE state->'holds' ? 'discord-shard-0'`);
      return programs.find(({ pid }) => rows.some(({ name }) => String(name).endsWith(`:${pid}`)));
    });
  };

  beforeAll(async () => {
    if (way === 'PostgreSQL') database = await createTestDatabase();
    await teachQuickness(database?.url ?? `sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
    const result = await resultOf('#2060a0');
    service = await createGenerationService({ script: { jobs: { queuedMs: 0, runningMs: 40, result } } });
    recorder = await createRecorder(service.url);
    discord = await createFakeDiscord();
    programs = await Promise.all(way === 'PostgreSQL' ? [start(), start()] : [start()]);
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.kill()));
    await Promise.all([discord.stop(), recorder.close()]);
    await service.close();
    await database?.[Symbol.asyncDispose]();
    folder.remove();
  });

  const isThinking = (sent: Sent): boolean => ((sent.message()?.flags ?? 0) & LOADING) !== 0;

  it('leaves no "thinking…"', async () => {
    const interrupted = wordsFor('en').notes.interrupted;
    const killed: Sent[] = [];
    let thinking = 0;
    for (let round = 0; round < kills; round += 1) {
      const dying = await holder();
      const values = { photo: await photo(), filter: '12', gender: 'female' };
      const sent = discord.user(`Ann ${round}`).slash('/faceswap', values);
      expect((await sent.answered()).type).toBe(5);
      await pause((round / kills) * WITHIN_MS);
      await dying.kill();
      if (isThinking(sent)) thinking += 1;
      killed.push(sent);
      programs = [...programs.filter((each) => each !== dying), await start()];
    }
    await holds(() => expect(killed.filter(isThinking)).toEqual([]));
    const isTold = (sent: Sent): boolean => display(sent.message()?.content ?? '').text.includes(interrupted);
    const made = killed.filter((sent) => !isTold(sent));
    // Of what was told nothing is made, and the rest is made once; a later kill may have made it uncertain.
    expect(recorder.runs().length).toBeLessThanOrEqual(made.length);
    console.info(
      `${way}: ${kills} kills, ${thinking} while thinking; ${made.length} went on as jobs, the others were told`,
    );
  });
});
