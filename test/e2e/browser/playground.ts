import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { JobOverrides } from '../../../src/generation-service/jobs/jobs.ts';
import { encodeVideo } from '../../../src/generation-service/render/encode-video.ts';
import type { ScriptedJob, ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { freePort } from '../../free-port.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { resultOf } from '../stage/pictures.ts';
import { launchChromium } from './chromium.ts';
import { type Visitor, visit } from './visitor.ts';

/** The program with its playground, a generation service of the test's own beside it, and a browser. */
export interface Playground {
  readonly browser: Browser;
  readonly service: GenerationService;
  url(): string;
  /** Ends the program and starts it again at the same address. */
  restart(how: 'stop' | 'kill'): Promise<void>;
  /** Moves the service's clock forward: jobs that take no longer than that are finished there. */
  laterAtService(ms: number): void;
  close(): Promise<void>;
}

interface PlaygroundScript extends Pick<ServiceScript, 'http'> {
  readonly jobs?: (job: ScriptedJob) => JobOverrides;
}

/** Results of all jobs, made once, because rendering one for each job takes long; first-run.test.ts shows what the service renders. */
const picture = await resultOf('#10a0e0', 600, 800);
const quality = { longSide: 320, framesPerSecond: 8, quantization: 40 };
const video = await encodeVideo({ width: 240, height: 320 }, 2, quality, (t, frame) => frame.fill(255 * t));

export const openPlayground = async (
  script: PlaygroundScript,
  env: Readonly<Record<string, string>> = {},
): Promise<Playground> => {
  const folder = createDataFolder();
  const jobs = (job: ScriptedJob): JobOverrides => ({
    queuedMs: 50,
    runningMs: 100,
    result: job.output === 'picture' ? picture : video,
    ...script.jobs?.(job),
  });
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const [browser, service] = await Promise.all([
    launchChromium(),
    createGenerationService({ script: { ...script, jobs }, clock }),
    teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`),
  ]);
  const settings = {
    GENERATION_URL: service.url,
    GENERATION_API_KEY: service.apiKey,
    GENERATION_TOKEN: service.token,
    IMAGE_LOOK_FLOOR_SECONDS: '0.05',
    VIDEO_LOOK_FLOOR_SECONDS: '0.05',
    SERVICE_CALLS_PER_SECOND: '1000',
    USER_JOBS_PER_MINUTE: '100',
    USER_DAILY_CREDITS: '1000',
    CONSENT: 'off',
    HTTP_PORT: String(await freePort()),
    ...env,
  };
  let program: Program = await startProgram(folder.path, settings);
  return {
    browser,
    service,
    url: () => program.url,
    async restart(how) {
      await program[how]();
      program = await startProgram(folder.path, settings);
    },
    laterAtService(ms) {
      ahead += ms;
    },
    async close() {
      await browser.close();
      await program.stop();
      await service.close();
      folder.remove();
    },
  };
};

/**
 * Opens one playground for all tests of a suite, and fails each test whose pages complained. Opening a page takes longer than most
 * of what is done on it, so a page without options serves the next test, too, as that of a new visitor.
 */
export const usePlayground = (script: PlaygroundScript = {}, env: Readonly<Record<string, string>> = {}) => {
  let playground: Playground;
  const free: Visitor[] = [];
  const plain: Visitor[] = [];
  const special: Visitor[] = [];
  beforeAll(async () => {
    playground = await openPlayground(script, env);
  });
  afterEach(async () => {
    const all = [...plain, ...special];
    await Promise.all(special.splice(0).map((visitor) => visitor.close()));
    await Promise.all(plain.map((visitor) => visitor.leave()));
    free.push(...plain.splice(0));
    expect(all.flatMap((visitor) => visitor.complaints())).toEqual([]);
  });
  afterAll(() => playground?.close());
  return {
    playground: (): Playground => playground,
    arrive: async (options?: Parameters<typeof visit>[2]): Promise<Visitor> => {
      const known = options === undefined ? free.pop() : undefined;
      await known?.arrive();
      const visitor = known ?? (await visit(playground.browser, playground.url(), options));
      (options === undefined ? plain : special).push(visitor);
      return visitor;
    },
  };
};
