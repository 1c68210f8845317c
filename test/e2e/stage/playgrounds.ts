import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../fakes/postgres.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from './experience.ts';
import { resultOf } from './pictures.ts';

export const made = await resultOf('#e0a010');

interface Playground {
  /** There is no PostgreSQL. */
  readonly skipped: boolean;
  /** `index`: at which of the programs. */
  browserOf(person: string, index?: number): Promise<Browser>;
}

/** With a service that is quick, once for one program on a file, and once for two on a database. */
export function describePlaygrounds(
  what: string,
  tests: (playground: Playground) => void,
  env: Readonly<Record<string, string>> = {},
): void {
  describe.each([
    ['one program', 1],
    ['two programs', 2],
  ] as const)(`${what} in the playground of %s`, (_name, count) => {
    const folder = createDataFolder();
    let database: TestDatabase | undefined;
    let service: GenerationService;
    let programs: Program[];
    const skipped = count === 2 && postgresUrl === undefined;
    beforeAll(async () => {
      if (skipped) return;
      database = count === 2 ? await createTestDatabase() : undefined;
      const store = database?.url ?? `sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`;
      await teachQuickness(store);
      service = await createGenerationService({
        script: { jobs: () => ({ queuedMs: 0, runningMs: 40, result: made }) },
      });
      const start = () =>
        startProgram(folder.path, {
          CONSENT: 'off',
          STORE_URL: store,
          GENERATION_URL: service.url,
          GENERATION_API_KEY: service.apiKey,
          GENERATION_TOKEN: service.token,
          IMAGE_LOOK_FLOOR_SECONDS: '0.05',
          ...env,
        });
      programs = await Promise.all(Array.from({ length: count }, start));
    });
    afterAll(async () => {
      if (skipped) return;
      for (const program of programs) expect(await program.stop()).toBe(0);
      await service.close();
      await database?.[Symbol.asyncDispose]();
      folder.remove();
    });
    tests({
      skipped,
      browserOf: (person, index = 0) => openBrowser(programs[index % programs.length]?.url ?? '', person),
    });
  });
}
