import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { JobOverrides } from '../../../src/generation-service/jobs/jobs.ts';
import { createFakeDiscord } from '../../fakes/discord/discord.ts';
import type { ScriptedJob, ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import type { Person, Platform, Room } from './chat.ts';
import { discordChat } from './discord-chat.ts';
import { teachQuickness } from './experience.ts';
import { startPatientProgram } from './patient-program.ts';
import { film, made } from './pictures.ts';
import { createRecorder } from './recorder.ts';
import { telegramChat } from './telegram-chat.ts';

export type Stage = Awaited<ReturnType<typeof createStage>>;

export interface Custom {
  readonly uuid: string;
  readonly label: string;
  readonly filter_type: string;
}

/** Quick: nothing here is about how long things take. */
const quick = {
  CONSENT: 'off',
  IMAGE_LOOK_FLOOR_SECONDS: '0.05',
  VIDEO_LOOK_FLOOR_SECONDS: '0.05',
  SERVICE_CALLS_PER_SECOND: '1000',
  USER_JOBS_PER_MINUTE: '1000',
  USER_DAILY_CREDITS: '10000',
};

export interface StageOptions {
  readonly http?: ServiceScript['http'];
  /** How a job goes otherwise than in a moment, to `made` or `film`. */
  readonly jobs?: (job: ScriptedJob) => JobOverrides;
  readonly env?: Readonly<Record<string, string>>;
  /** Discord sends interactions by HTTP, not over the gateway. */
  readonly byHttp?: boolean;
  /** The program runs in this process, where checks of photos may take long. */
  readonly isPatient?: boolean;
}

/** The real program between two platforms and the generation service, each of them a real server. */
export const createStage = async (options: StageOptions = {}) => {
  const folder = createDataFolder();
  const url = options.env?.STORE_URL ?? `sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`;
  await teachQuickness(url, options.env?.STORE_KEY);
  let aheadAtService = 0;
  const { http, jobs } = options;
  const planFor = (job: ScriptedJob): JobOverrides => ({
    queuedMs: 0,
    runningMs: 40,
    result: job.output === 'video' ? film : made,
    ...jobs?.(job),
  });
  const service = await createGenerationService({
    script: { jobs: planFor, ...(http === undefined ? {} : { http }) },
    clock: { now: () => Date.now() + aheadAtService },
  });
  const recorder = await createRecorder(service.url);
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const telegram = await createFakeTelegram({ flood: 'off', clock });
  const discord = await createFakeDiscord(clock);
  const secrets = [service.apiKey, service.token, telegram.token, discord.token];
  const base = {
    ...quick,
    STORE_URL: url,
    GENERATION_URL: recorder.url,
    GENERATION_API_KEY: service.apiKey,
    GENERATION_TOKEN: service.token,
    TELEGRAM_TOKEN: telegram.token,
    TELEGRAM_API_URL: telegram.url,
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.api,
    DISCORD_CDN_HOSTS: discord.cdnHost,
    ...(options.byHttp ? { DISCORD_PUBLIC_KEY: discord.http.publicKey } : {}),
    ...options.env,
  };
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<Program> => {
    const all = { ...base, ...env };
    const started = await (options.isPatient ? startPatientProgram(all) : startProgram(folder.path, all));
    if (options.byHttp) discord.http.url = `${started.url}/discord/interactions`;
    return started;
  };
  let program = await start();
  let printed = '';
  /** Asks the service as its owner. */
  const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { [service.apiKeyHeader]: service.apiKey, authorization: `Bearer ${service.token}` };
    const text = await (await fetch(`${service.url}${path}`, { ...init, headers })).text();
    return JSON.parse(text === '' ? 'null' : text);
  };

  return {
    ask,
    /** The owner's own filters there, for one person or for groups. */
    customFilters: async (type: 'face_swap' | 'multi_swap'): Promise<readonly Custom[]> =>
      (await ask<Custom[]>('/v1/users/me/my-custom-filters')).filter((each) => each.filter_type === type),
    discord,
    telegram,
    service,
    recorder,
    /** The folder in which the program keeps everything. */
    folder: folder.path,
    platforms: { discord: discordChat(discord), telegram: telegramChat(telegram) },
    program: () => program,
    /** Stops it (or kills it) and starts it again, on the same store unless `env` says otherwise. */
    async restart(
      how: 'stop' | 'kill',
      env: Readonly<Record<string, string>> = {},
      meanwhile: () => Promise<void> = async () => undefined,
    ): Promise<void> {
      await (how === 'stop' ? program.stop() : program.kill());
      printed += program.output();
      await meanwhile();
      program = await start(env);
    },
    /** Moves the platforms' clocks, not the program's. */
    later(ms: number): void {
      ahead += ms;
    },
    /** Moves the service's: whatever is to take no longer than that is finished there. */
    laterAtService(ms: number): void {
      aheadAtService += ms;
    },
    /** Ends everything; throws when a platform had reason to complain or a secret was printed. */
    async close(): Promise<void> {
      const code = await program.stop();
      printed += program.output();
      await Promise.all([telegram.stop(), discord.stop(), recorder.close()]);
      await service.close();
      folder.remove();
      const told = secrets.filter((secret) => printed.includes(secret));
      const complaints = [...discord.world.complaints, ...telegram.complaints];
      if (told.length > 0) throw new Error('the program printed a secret');
      if (complaints.length > 0) throw new Error(`a platform complains:\n${complaints.join('\n')}`);
      if (code !== 0) throw new Error(`the program ended with ${code}:\n${printed.slice(-4000)}`);
      // Errors that only the owner can put right are told on purpose; any other error is a defect.
      if (/"level":"(error|fatal)"(?!.*"trouble":)/.test(printed))
        throw new Error(`the program met an error:\n${printed.slice(-4000)}`);
    },
  };
};

/** The stage of the running file, in files that call `useStage`. */
export let stage: Stage;

/** Opens one stage for all tests of a file. */
export const useStage = (options: StageOptions = {}): void => {
  beforeAll(async () => {
    stage = await createStage(options);
  });
  afterAll(() => stage.close());
};

export const names = ['discord', 'telegram'] as const;

export interface People {
  readonly room: Room;
  readonly mod: Person;
  readonly ann: Person;
  readonly bob: Person;
}

/** A room of its own, with a moderator and two others. */
export const peopleOn = (name: Platform['name'], who: string): People => {
  const room = stage.platforms[name].room();
  const mod = room.person(`Mod ${who}`);
  const ann = room.person(`Ann ${who}`);
  const bob = room.person(`Bob ${who}`);
  mod.moderates(true);
  return { room, mod, ann, bob };
};
