import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { createDataFolder, freePort, type Program, startProgram } from '../program.ts';
import { launchChromium } from './chromium.ts';
import { type Visitor, visit } from './visitor.ts';

/** The program with its playground, a generation service of the test's own beside it, and a browser. */
export interface Playground {
  readonly browser: Browser;
  readonly service: GenerationService;
  url(): string;
  /** Ends the program and starts it again at the same address. */
  restart(how: 'stop' | 'kill'): Promise<void>;
  /** The same in two steps. */
  end(): Promise<void>;
  begin(): Promise<void>;
  /** Moves the service's clock: whatever is to take no longer than that is finished there. */
  laterAtService(ms: number): void;
  close(): Promise<void>;
}

export const openPlayground = async (
  script: ServiceScript,
  env: Readonly<Record<string, string>> = {},
): Promise<Playground> => {
  const folder = createDataFolder();
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const [browser, service] = await Promise.all([
    launchChromium(),
    createGenerationService({ script, clock }),
  ]);
  const settings = {
    GENERATION_URL: service.url,
    GENERATION_API_KEY: service.apiKey,
    GENERATION_TOKEN: service.token,
    VIDEO_LOOK_FLOOR_SECONDS: '1',
    USER_JOBS_PER_MINUTE: '100',
    USER_DAILY_CREDITS: '1000',
    CONSENT: 'off',
    HTTP_PORT: String(await freePort()),
    ...env,
  };
  let program: Program = await startProgram(folder.path, settings);
  const begin = async (): Promise<void> => {
    program = await startProgram(folder.path, settings);
  };
  return {
    browser,
    service,
    url: () => program.url,
    async restart(how) {
      await program[how]();
      await begin();
    },
    async end() {
      await program.stop();
    },
    begin,
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

/** One for all tests of a suite. Each page is closed after its test, and must have had nothing to complain about. */
export const usePlayground = (script: ServiceScript) => {
  let playground: Playground;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    playground = await openPlayground(script);
  });
  afterEach(async () => {
    const all = visitors.splice(0);
    await Promise.all(all.map((visitor) => visitor.close()));
    expect(all.flatMap((visitor) => visitor.complaints())).toEqual([]);
  });
  afterAll(() => playground?.close());
  return {
    url: (): string => playground.url(),
    arrive: async (options: Parameters<typeof visit>[2] = {}): Promise<Visitor> => {
      const visitor = await visit(playground.browser, playground.url(), options);
      visitors.push(visitor);
      return visitor;
    },
  };
};
