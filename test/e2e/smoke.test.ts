import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGenerationService, type GenerationService } from '../../src/generation-service/service.ts';
import { createFakeDiscord, type FakeDiscord } from '../fakes/discord/discord.ts';
import { createFakeTelegram, type FakeTelegram } from '../fakes/telegram/telegram.ts';
import { createDataFolder, type Program, startProgram } from './program.ts';

const folder = createDataFolder();
let service: GenerationService;
let telegram: FakeTelegram;
let discord: FakeDiscord;
let program: Program;
const photo = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#c84' } })
  .jpeg()
  .toBuffer();

beforeAll(async () => {
  service = await createGenerationService({ script: { jobs: { queuedMs: 200, runningMs: 500 } } });
  telegram = await createFakeTelegram({ flood: 'off' });
  discord = await createFakeDiscord();
  program = await startProgram(folder.path, {
    GENERATION_URL: service.url,
    GENERATION_API_KEY: service.apiKey,
    GENERATION_TOKEN: service.token,
    TELEGRAM_TOKEN: telegram.token,
    TELEGRAM_API_URL: telegram.url,
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.api,
    DISCORD_CDN_HOSTS: discord.cdnHost,
    CONSENT: 'off',
  });
});
afterAll(async () => {
  console.log(program?.output().slice(-6000));
  await program?.stop();
  await Promise.all([telegram?.stop(), discord?.stop(), service?.close()]);
  folder.remove();
});

it('a photo with a command becomes a picture on Telegram', async () => {
  const ann = telegram.person('Ann');
  ann.says(ann.chat, '/faceswap 3 female', { photo });
  const made = await telegram.until(
    () => telegram.fromBot(ann.chat).find((message) => message.photo),
    'a picture',
  );
  expect(made.caption).toContain('AI-generated');
});

it('a slash command becomes a picture on Discord', async () => {
  const ann = discord.user('ann');
  const sent = ann.slash('/faceswap', {
    photo: { name: 'me.jpg', type: 'image/jpeg', bytes: photo },
    filter: '3',
    gender: 'female',
  });
  await sent.answered();
  await expect.poll(() => sent.message()?.attachments.length, { timeout: 20_000 }).toBe(1);
});
