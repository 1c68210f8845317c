// @module-tag slow
// @module-tag longest
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wordsFor } from '../../../src/words/words.ts';
import { holds } from '../../eventually.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import type { Attached, Sent } from '../../fakes/discord/people.ts';
import { createTestDatabase, type TestDatabase } from '../../fakes/postgres.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { createProxy } from '../faults/scale/proxy.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { made } from '../stage/pictures.ts';
import { createRecorder, type Recorder } from '../stage/recorder.ts';
import { found, hasFile, photo, says } from './setting.ts';

const SHARDS = 2;

let database: TestDatabase;
let service: GenerationService;
let recorder: Recorder;
let discord: FakeDiscord;
let attached: Attached;
let programs: Program[];
const folder = createDataFolder();

beforeEach(async () => {
  database = await createTestDatabase();
  await teachQuickness(database.url);
  const jobs = { queuedMs: 0, runningMs: 100, result: made };
  service = await createGenerationService({ script: { jobs } });
  recorder = await createRecorder(service.url);
  discord = await createFakeDiscord();
  discord.world.shards = SHARDS;
  discord.world.sessions.max_concurrency = SHARDS;
  attached = await photo();
  programs = [];
});

afterEach(async () => {
  await Promise.all(programs.map((each) => each.kill()));
  await Promise.all([discord.stop(), recorder.close()]);
  await service.close();
  await database[Symbol.asyncDispose]();
});

const start = async (storeUrl = database.url): Promise<Program> => {
  const program = await startProgram(folder.path, {
    STORE_URL: storeUrl,
    GENERATION_URL: recorder.url,
    GENERATION_API_KEY: service.apiKey,
    GENERATION_TOKEN: service.token,
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.api,
    DISCORD_CDN_HOSTS: discord.cdnHost,
    CONSENT: 'off',
    IMAGE_LOOK_FLOOR_SECONDS: '0.05',
  });
  programs.push(program);
  return program;
};
const gone = (program: Program): void => {
  programs = programs.filter((each) => each !== program);
};

const lines = (): readonly number[] =>
  Array.from({ length: SHARDS }, (_, shard) => discord.gateway.lines(shard));
const holders = async (): Promise<readonly string[]> => {
  const rows = await database.query("SELECT state->'holds' AS holds FROM members ORDER BY id");
  return rows.flatMap(({ holds: held }) => (held as string[] | null) ?? []);
};
const connectedOnce = (): Promise<void> => holds(() => expect(lines()).toEqual([1, 1]));

/** A command on a server of each shard. */
const ask = (): readonly Sent[] =>
  Array.from({ length: SHARDS }, (_, shard) => {
    const ann = discord.onShard(discord.newcomer('Ann'), shard);
    return ann.types('/faceswap', { photo: attached, filter: '3', gender: 'female' });
  });

/** Each command has one card with one result, and was run once. */
const expectOneJobEach = async (sent: readonly Sent[]): Promise<void> => {
  for (const each of sent) await found(() => each.message(), hasFile);
  expect(sent.map((each) => each.messages().length)).toEqual(sent.map(() => 1));
  expect(recorder.runs()).toHaveLength(sent.length);
  expect(discord.world.complaints).toEqual([]);
};

describe('programs that share the shards', { tags: ['postgres'] }, () => {
  it('programs take over shards after kill -9, spread them after a join and hand them over at a stop, with every session resumed', async () => {
    const first = await start();
    const second = await start();

    await holds(async () => expect(new Set(await holders()).size).toBeGreaterThanOrEqual(SHARDS));

    await connectedOnce();
    const sent = [...ask()];
    const before = discord.gateway.resumes;
    await first.kill();
    gone(first);
    sent.push(...ask());

    await holds(() => expect(discord.gateway.resumes).toBeGreaterThan(before));

    await connectedOnce();
    sent.push(...ask());
    await start();
    sent.push(...ask());

    expect(await second.stop()).toBe(0);

    gone(second);
    sent.push(...ask());
    await connectedOnce();

    await expectOneJobEach(sent);
    expect(discord.gateway.identifies).toHaveLength(SHARDS);
    expect(discord.gateway.ended).toBe(0);
  });

  it('programs that share shards answer while the database is away, and in the end each command once', async () => {
    const url = new URL(database.url);
    await using opened = new AsyncDisposableStack();
    const port = Number(url.port);
    const network = await createProxy(() => port);

    opened.defer(network.close);
    url.port = String(network.port);
    for (let count = 0; count < 3; count += 1) await start(url.href);
    await connectedOnce();
    network.halfOpen();
    network.cut();
    const sent = Array.from({ length: 4 }, ask).flat();

    // Nobody reaches the database before all of them have their first answer, which Discord takes for 3 seconds.
    await holds(() => expect(sent.every(({ interaction }) => interaction.ack !== undefined)).toBe(true));
    expect(lines()).toEqual([1, 1]);

    for (const program of programs) {
      const ready = await fetch(`${program.url}/readyz`);
      expect(ready.status).toBe(503);
      expect(await ready.text()).not.toContain('standing by');
    }
    network.heal();
    await connectedOnce();
    const isTold = says(wordsFor('en').somethingBroke);
    for (const each of sent)
      await found(
        () => each.message(),
        (message) => hasFile(message) || isTold(message),
      );

    expect(sent.map((each) => each.messages().length)).toEqual(sent.map(() => 1));

    const done = sent.flatMap((each) => each.messages()).filter(hasFile);
    expect(recorder.runs()).toHaveLength(done.length);
    expect(discord.world.complaints).toEqual([]);
    expect(discord.gateway.identifies).toHaveLength(SHARDS);
  });
});
