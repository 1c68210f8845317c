// @module-tag slow
/** A whole program with a playground: photos stay in its memory, and nothing of them is written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Message } from '../../src/adapters/web/outgoing/message.ts';
import { eventually } from '../eventually.ts';
import { type Browser, openBrowser } from '../fakes/web/browser.ts';
import { createDataFolder, type Program, startProgram } from './program.ts';
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

/** Some bytes of a picture, in each form in which they could be stored. */
const tracesOf = (picture: Buffer): readonly string[] => {
  const part = picture.subarray(picture.length / 2, picture.length / 2 + 30);
  const base64 = [0, 1, 2].map((skipped) => part.subarray(skipped, skipped + 27).toString('base64'));
  return [part.toString('latin1'), part.toString('hex'), ...base64];
};

let folder: ReturnType<typeof createDataFolder>;
let service: Awaited<ReturnType<typeof createHeldService>>;
let program: Program;
let ann: Browser;
let bob: Browser;

const start = async (): Promise<void> => {
  program = await startProgram(folder.path, {
    GENERATION_URL: service.url,
    GENERATION_API_KEY: 'the-key',
    GENERATION_TOKEN: 'token',
    CONSENT: 'off',
    FACE_CHECK: 'off',
    IMAGE_LOOK_FLOOR_SECONDS: '0.05',
    USER_DAILY_CREDITS: '10000',
    SERVICE_CONCURRENT_JOBS: '1',
  });
  ann = await openBrowser(program.url, 'ann');
  bob = await openBrowser(program.url, 'bob');
};

beforeAll(async () => {
  service = await createHeldService({ result: result.toString('base64') });
});
beforeEach(async () => {
  folder = createDataFolder();
  service.reset();
  await start();
});
afterEach(async () => {
  await program.kill();
  folder.remove();
});
afterAll(() => service.close());

const textOf = ({ view }: Message): string => JSON.stringify([view?.title, view?.lines, view?.buttons]);
const card = (browser: Browser, prompt: string, fits: (card: Message) => boolean): Promise<Message> =>
  eventually(async () => {
    const messages = await browser.messages('studio');
    return messages.findLast((each) => textOf(each).includes(prompt) && fits(each));
  }, `the card of ${prompt}`);
const isDone = ({ view }: Message): boolean => view?.media !== undefined;
const waits = (each: Message): boolean => textOf(each).includes('Cancel');

/** Bob's job has the only slot. */
const occupy = async (prompt: string): Promise<void> => {
  await bob.say('studio', `/faceswap prompt="${prompt}"`, [photo]);
  await eventually(() => service.prompts.includes(prompt), 'a job that runs');
};

const everythingStored = (): string =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    .join('\n');
const isStored = (picture: Buffer): boolean => {
  const stored = everythingStored();
  return tracesOf(picture).some((trace) => stored.includes(trace));
};

it('a photo is in memory only: nothing of it is written while its job waits and when it is done', async () => {
  await occupy('first of bob');
  await ann.say('studio', '/faceswap prompt="one of ann"', [photo]);
  await card(ann, 'one of ann', waits);

  expect(isStored(photo)).toBe(false);

  service.letGo();
  await card(ann, 'one of ann', isDone);

  expect(isStored(photo)).toBe(false);
  // Results are stored, so that the search finds what there is.
  expect(isStored(result)).toBe(true);
});

it('after a crash, jobs whose photos were in memory fail with the reason, and are not charged', async () => {
  await occupy('first of bob');
  await ann.say('studio', '/faceswap prompt="lost photo"', [photo]);
  const { id } = await card(ann, 'lost photo', waits);
  await program.kill();
  await start();
  service.letGo();
  await card(ann, 'lost photo', (each) => each.id === id && textOf(each).includes('could not be fetched'));

  expect(service.prompts).not.toContain('lost photo');

  await ann.say('studio', '/usage', []);
  await eventually(
    async () => (await ann.messages('studio')).some((each) => /You used 0 of/.test(textOf(each))),
    'all credits to be left',
  );
});
