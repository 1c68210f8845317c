import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/adapters/web/outgoing/message.ts';
import { createFaceFinder } from '../../src/faces/finder.ts';
import { eventually } from '../eventually.ts';
import { createFakeDiscord, type FakeDiscord } from '../fakes/discord/discord.ts';
import { createGenerationService, type GenerationService } from '../fakes/service/service.ts';
import { createFakeTelegram, type FakeTelegram } from '../fakes/telegram/telegram.ts';
import { type Browser, openBrowser } from '../fakes/web/browser.ts';
import { createDataFolder } from './program.ts';
import type { Line, Platform, Seen } from './stage/chat.ts';
import { discordChat } from './stage/discord-chat.ts';
import { teachQuickness } from './stage/experience.ts';
import { startPatientProgram } from './stage/patient-program.ts';
import { photoOf, resultOf } from './stage/pictures.ts';
import { createRecorder, type Recorder } from './stage/recorder.ts';
import { telegramChat } from './stage/telegram-chat.ts';

const sample = (name: string): Buffer =>
  readFileSync(new URL(`../../src/generation-service/samples/${name}.jpg`, import.meta.url));
const [portrait, group] = [sample('portrait'), sample('group')];
const nobody = await photoOf('#20c020');

const folder = createDataFolder();
const finder = createFaceFinder();
let service: GenerationService;
let recorder: Recorder;
let discord: FakeDiscord;
let telegram: FakeTelegram;
let platforms: Readonly<Record<Platform['name'], Platform>>;
let app: Awaited<ReturnType<typeof start>>;
const start = (env: Readonly<Record<string, string>>) =>
  startPatientProgram({
    GENERATION_URL: recorder.url,
    GENERATION_API_KEY: service.apiKey,
    GENERATION_TOKEN: service.token,
    ...env,
  });
const storeUrl = (name: string): string => `sqlite:${join(folder.path, `${name}.sqlite`)}`;
const onPlatforms = () =>
  start({
    STORE_URL: storeUrl('platforms'),
    TELEGRAM_TOKEN: telegram.token,
    TELEGRAM_API_URL: telegram.url,
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.api,
    DISCORD_CDN_HOSTS: discord.cdnHost,
  });

beforeAll(async () => {
  for (const name of ['platforms', 'playground']) await teachQuickness(storeUrl(name));
  const result = await resultOf('#e0a010');
  service = await createGenerationService({
    script: { jobs: () => ({ queuedMs: 0, runningMs: 40, result }) },
  });
  recorder = await createRecorder(service.url);
  telegram = await createFakeTelegram({ flood: 'off' });
  discord = await createFakeDiscord();
  platforms = { discord: discordChat(discord), telegram: telegramChat(telegram) };
  app = await onPlatforms();
});
afterAll(async () => {
  await app.stop();
  await Promise.all([telegram.stop(), discord.stop(), recorder.close()]);
  await service.close();
  finder.close();
  folder.remove();
  expect([...discord.world.complaints, ...telegram.complaints]).toEqual([]);
});

const swap = (photo: Uint8Array): Line => ({
  command: 'faceswap',
  given: { filter: '12', gender: 'female' },
  photos: { photo },
});
const isMade = ({ text }: Seen): boolean => text.includes('AI-generated');
const lastSent = (): Buffer => {
  const { body } = recorder.runs().at(-1) ?? {};
  const [first] = [body?.base64 ?? body?.image ?? body?.images].flat();
  return Buffer.from(String(first), 'base64');
};

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  it('one face goes on at once', async () => {
    const ann = platforms[name].room().member('Ann');
    await ann.sends(swap(portrait)).until(isMade, 'the result');
  });

  it('several: the numbered picture, and the one that is pressed after a restart is alone in what is sent', async () => {
    const room = platforms[name].room();
    const [ann, bob] = [room.member('Anna'), room.member('Bob')];
    const before = recorder.runs().length;
    const question = await ann.sends(swap(group)).says('Whose face');
    expect(question.buttons).toEqual(['1', '2', '3', '4', '5', 'Everybody']);
    expect((await sharp(question.media?.bytes).metadata()).format).toBe('jpeg');
    await app.stop();
    app = await onPlatforms();
    if (!question.private) await bob.press(question, '2').says('belongs to someone else');
    expect(recorder.runs()).toHaveLength(before);
    await ann.press(question, '2').until(isMade, 'the result');
    const sent = lastSent();
    expect(await finder.find(sent)).toHaveLength(1);
    const { width = 0, height = 0 } = await sharp(sent).metadata();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(512);
    expect(recorder.runs()).toHaveLength(before + 1);
  });

  it('Everybody goes on with /groupswap', async () => {
    const ann = platforms[name].room().member('Anne');
    const question = await ann.sends(swap(group)).says('Whose face');
    const styles = ann.press(question, 'Everybody');
    await styles.says('/groupswap');
  });

  it('nobody: it says so, and is used anyway', async () => {
    const ann = platforms[name].room().member('Annie');
    const question = await ann.sends(swap(nobody)).says('No face found');
    expect(question.buttons).toEqual(['Use it anyway']);
    await ann.press(question, 'Use it anyway').until(isMade, 'the result');
    expect((await sharp(lastSent()).metadata()).width).toBe(300);
  });

  it('a group of one is asked about', async () => {
    const ann = platforms[name].room().member('Annika');
    const question = await ann
      .sends({ command: 'groupswap', given: { style: '3' }, photos: { photo: portrait } })
      .says('Only one face');
    expect(question.buttons).toEqual(['Use it anyway', 'Swap one face']);
    await ann.press(question, 'Use it anyway').until(isMade, 'the result');
  });
});

describe('in the playground', () => {
  const shows = (browser: Browser, text: string): Promise<Message> =>
    eventually(
      async () =>
        (await browser.messages('studio')).findLast(({ view }) => JSON.stringify(view ?? '').includes(text)),
      text,
    );

  it('the faces can be pressed in the picture, which is in memory alone', async () => {
    const { url, stop } = await start({ STORE_URL: storeUrl('playground') });
    const ann = await openBrowser(url, 'ann');
    await ann.say('studio', '/faceswap 12 female', [group]);
    const question = await shows(ann, 'Whose face');
    const spots = question.view?.buttons?.flat().flatMap(({ spot }) => spot ?? []) ?? [];
    expect(spots).toHaveLength(5);
    const { media } = question.view ?? {};
    if (media === undefined || media.kind === 'link') throw new Error('no picture');
    const picture = Buffer.from(await (await ann.ask(`/media/${media.id}`)).arrayBuffer());
    const size = await sharp(picture).metadata();
    expect(size.format).toBe('jpeg');
    const bob = await openBrowser(url, 'bob');
    expect(JSON.stringify(await bob.messages('studio'))).not.toContain('Whose face');
    await ann.press(question, '1');
    await shows(ann, 'AI-generated');
    expect(await finder.find(lastSent())).toHaveLength(1);
    await stop();
  });
});
