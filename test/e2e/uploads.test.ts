/**
 * Two whole programs with a playground on one PostgreSQL: photos stay in the memory of the one that received them, and nothing
 * of them is written.
 */
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/adapters/web/outgoing/message.ts';
import { eventually } from '../eventually.ts';
import { createTestDatabase, postgresUrl, type TestDatabase } from '../fakes/postgres.ts';
import { type Browser, openBrowser } from '../fakes/web/browser.ts';
import { createDataFolder, type Program, startProgram } from './program.ts';
import { teachQuickness } from './stage/experience.ts';
import { createHeldService } from './stage/held-service.ts';

const noise = (format: 'jpeg' | 'png'): Promise<Buffer> =>
  sharp({
    create: {
      width: 300,
      height: 400,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .toFormat(format)
    .toBuffer();
const photo = await noise('jpeg');
const result = await noise('png');

/** Some bytes of it, as they would look wherever they stand. */
const tracesOf = (picture: Buffer): readonly string[] => {
  const part = picture.subarray(picture.length / 2, picture.length / 2 + 30);
  const base64 = [0, 1, 2].map((skipped) => part.subarray(skipped, skipped + 27).toString('base64'));
  return [part.toString('latin1'), part.toString('hex'), ...base64];
};

const LOST = `SELECT c.charge, j.state, j.line FROM jobs j JOIN charges c ON c.job = j.id
  WHERE position('lost photo' IN encode(j.body, 'escape')) > 0`;

describe.skipIf(postgresUrl === undefined)('photos of the playground, two programs on one database', () => {
  const folder = createDataFolder();
  let database: TestDatabase;
  let service: Awaited<ReturnType<typeof createHeldService>>;
  let programs: Program[] = [];
  /** Connected to the first program. */
  let ann: Browser;
  /** Connected to the second one. */
  let bob: Browser;
  let annElsewhere: Browser;
  const start = (): Promise<Program> =>
    startProgram(folder.path, {
      STORE_URL: database.url,
      GENERATION_URL: service.url,
      GENERATION_API_KEY: 'the-key',
      GENERATION_TOKEN: 'token',
      CONSENT: 'off',
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      USER_DAILY_CREDITS: '10000',
      SERVICE_CONCURRENT_JOBS: '1',
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    await teachQuickness(database.url);
    service = await createHeldService({ result: result.toString('base64') });
  });
  beforeEach(async () => {
    service.reset();
    programs = await Promise.all([start(), start()]);
    const [first, second] = programs.map(({ url }) => url);
    ann = await openBrowser(first ?? '', 'ann');
    bob = await openBrowser(second ?? '', 'bob');
    annElsewhere = await openBrowser(second ?? '', 'ann');
  });
  afterEach(() => Promise.all(programs.map((program) => program.kill())));
  afterAll(async () => {
    await service.close();
    await database[Symbol.asyncDispose]();
    folder.remove();
  });

  const textOf = ({ view }: Message): string => JSON.stringify([view?.title, view?.lines, view?.buttons]);
  const card = (browser: Browser, prompt: string, fits: (card: Message) => boolean): Promise<Message> =>
    eventually(async () => {
      const messages = await browser.messages('studio');
      return messages.findLast((each) => textOf(each).includes(prompt) && fits(each));
    }, `the card of ${prompt}`);
  const isDone = ({ view }: Message): boolean => view?.media !== undefined;
  /** Somebody has the only slot, through the second program, which takes the next job when it is free. */
  const occupy = async (prompt: string): Promise<void> => {
    await bob.say('studio', `/faceswap prompt="${prompt}"`, [photo]);
    await eventually(() => service.prompts.includes(prompt), 'a job that runs');
  };
  const everythingStored = async (): Promise<string> => {
    const columns = await database.query(
      "SELECT table_name AS name, column_name AS field FROM information_schema.columns WHERE table_schema = 'public'",
    );
    const parts: string[] = [];
    for (const { name, field } of columns)
      for (const { value } of await database.query(`SELECT "${field}" AS value FROM "${name}"`))
        parts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value));
    return parts.join('\n');
  };
  const isStored = async (picture: Buffer): Promise<boolean> => {
    const stored = await everythingStored();
    return tracesOf(picture).some((trace) => stored.includes(trace));
  };

  it('the one that received a photo submits its jobs; nothing of the photo is written', async () => {
    await occupy('first of bob');
    await ann.say('studio', '/faceswap prompt="one of ann"', [photo]);
    await ann.say('studio', '/faceswap prompt="two of ann"', [photo]);
    for (const prompt of ['one of ann', 'two of ann'])
      await card(ann, prompt, (each) => textOf(each).includes('Cancel'));
    expect(await isStored(photo)).toBe(false);
    service.letGo();
    for (const prompt of ['one of ann', 'two of ann']) await card(annElsewhere, prompt, isDone);
    expect(service.prompts).toHaveLength(3);
    expect(await isStored(photo)).toBe(false);
    // It is looked for in the right way: results are stored.
    expect(await isStored(result)).toBe(true);
  });

  it('when it is killed, its jobs fail with the reason, and are not charged', async () => {
    await occupy('last of bob');
    await ann.say('studio', '/faceswap prompt="lost photo"', [photo]);
    const { id } = await card(annElsewhere, 'lost photo', (each) => textOf(each).includes('Cancel'));
    await eventually(async () => (await database.query(LOST)).at(0)?.line === 'key', 'it to stand in line');
    await programs[0]?.kill();
    service.letGo();
    await card(
      annElsewhere,
      'lost photo',
      (each) => each.id === id && textOf(each).includes('could not be fetched'),
    );
    expect(await database.query(LOST)).toEqual([{ charge: 'returned', state: 'failed', line: null }]);
    expect(service.prompts).toEqual(['last of bob']);
  });
});
