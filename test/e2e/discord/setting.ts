import { join } from 'node:path';
import sharp from 'sharp';
import type { JobPlan } from '../../../src/generation-service/jobs/jobs.ts';
import { holds } from '../../eventually.ts';
import { filesOf, menuOf } from '../../fakes/discord/components.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { display } from '../../fakes/discord/markdown.ts';
import type { Attached } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { createRecorder, type Recorder } from '../stage/recorder.ts';

/** The real program between a fake Discord and the real embedded service, each in its own place. */
export interface Setting {
  readonly discord: FakeDiscord;
  readonly service: GenerationService;
  readonly recorder: Recorder;
  program(): Program;
  /** Kills it without warning and starts it again on the same store. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** The settings of a program with this Discord and this service, which people can use a lot. */
export const envOf = (
  discord: Pick<FakeDiscord, 'token' | 'api' | 'cdnHost'>,
  service: Pick<GenerationService, 'apiKey' | 'token'>,
  recorder: Pick<Recorder, 'url'>,
) => ({
  GENERATION_URL: recorder.url,
  GENERATION_API_KEY: service.apiKey,
  GENERATION_TOKEN: service.token,
  DISCORD_TOKEN: discord.token,
  DISCORD_API_URL: discord.api,
  DISCORD_CDN_HOSTS: discord.cdnHost,
  CONSENT: 'off',
  IMAGE_LOOK_FLOOR_SECONDS: '0.05',
  VIDEO_LOOK_FLOOR_SECONDS: '0.05',
  USER_CONCURRENT_JOBS: '20',
  USER_WAITING_JOBS: '20',
  USER_JOBS_PER_MINUTE: '500',
  USER_DAILY_CREDITS: '100000',
});

export type Transport = 'gateway' | 'HTTP';

export const openSetting = async (plan: JobPlan, transport: Transport = 'gateway'): Promise<Setting> => {
  const folder = createDataFolder();
  await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
  const service = await createGenerationService({ script: { jobs: plan } });
  const recorder = await createRecorder(service.url);
  const discord = await createFakeDiscord();
  const start = async (): Promise<Program> => {
    const started = await startProgram(folder.path, {
      ...(transport === 'HTTP' ? { DISCORD_PUBLIC_KEY: discord.http.publicKey } : {}),
      ...envOf(discord, service, recorder),
    });
    if (transport === 'HTTP') discord.http.url = `${started.url}/discord/interactions`;
    return started;
  };
  let program = await start();
  return {
    discord,
    service,
    recorder,
    program: () => program,
    async crash() {
      await program.kill();
      program = await start();
    },
    async close() {
      await program.stop();
      await Promise.all([discord.stop(), recorder.close()]);
      await service.close();
      folder.remove();
    },
  };
};

/** A message once it is there and holds what is looked for. */
export const found = (
  look: () => Message | undefined,
  fits: (message: Message) => boolean,
): Promise<Message> =>
  holds(() => {
    const message = look();
    if (message === undefined || !fits(message)) throw new Error(`not yet: ${message?.content}`);
    return message;
  });

/** A result: the picture over a menu shows what can be chosen. */
export const hasFile = (message: Message): boolean =>
  filesOf(message).length === 1 && menuOf(message) === undefined;
export const says =
  (text: string) =>
  (message: Message): boolean =>
    display(message.content).text.includes(text);

export const flat = (colour: string): Promise<Buffer> =>
  sharp({ create: { width: 120, height: 180, channels: 3, background: colour } })
    .png()
    .toBuffer();

/** The colour of a picture's middle, so that a result is recognised though it was encoded anew. */
export const colourOf = async (bytes: Uint8Array): Promise<string> => {
  const { dominant } = await sharp(bytes).stats();
  const near = (value: number): string => (Math.round(value / 32) * 32).toString();
  return [dominant.r, dominant.g, dominant.b].map(near).join();
};

export const photo = async (colour = '#c08040'): Promise<Attached> => ({
  name: 'me.png',
  type: 'image/png',
  bytes: await flat(colour),
});
