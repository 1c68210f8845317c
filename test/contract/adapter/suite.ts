import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../../src/adapters/adapter.ts';
import { factsOf, isIdOf, PLATFORMS } from '../../../src/platforms/platforms.ts';
import { adapterCases } from './cases/adapter-parts.ts';
import type { Run } from './cases/cases.ts';
import { type ContentName, commonTitle, contentNames, titleWith } from './contents.ts';
import { cases } from './covered.ts';
import type { AdapterDriver } from './driver.ts';
import { openScene } from './scene.ts';

/** Runs one case in a scene of its own. */
export const runCase = async (run: Run, driver: AdapterDriver, patienceMs?: number): Promise<void> => {
  const scene = await openScene(driver, patienceMs);
  try {
    await run(scene);
  } finally {
    await scene.stage.end();
  }
  expect(scene.stage.complaints()).toEqual([]);
};

/**
 * What every chat platform must do, seen from the people in front of it. `only`: where a further driver of an adapter sends files by
 * the same calls as the first one.
 */
export const adapterSuite = (driver: AdapterDriver, only: readonly ContentName[] = contentNames): void => {
  const isWanted = (name: string): boolean =>
    name === commonTitle(name) || only.some((content) => name === titleWith(commonTitle(name), content));
  describe(`adapter: ${driver.name}`, () => {
    for (const [name, run] of cases) {
      if (!isWanted(name)) continue;
      const why = run.needs?.map((ability) => driver.lacks[ability]).find((reason) => reason !== undefined);
      if (why === undefined) test(name, () => runCase(run, driver));
      else test.skip(`${name} (${why})`, () => undefined);
    }

    const check =
      (run: Run): (() => Promise<void>) =>
      () =>
        runCase(run, driver);
    test(
      'an adapter lacks the parts that its driver names, and no others',
      check(async ({ stage: { adapter } }) => {
        for (const part of Object.keys(adapterCases) as (keyof Adapter)[])
          expect(adapter[part] !== undefined, part).toBe(!(part in driver.lacks));
      }),
    );

    // The small adapter borrows the name of another platform.
    const platform = PLATFORMS.find((each) => driver.name.startsWith(each));
    test.skipIf(platform === undefined)(
      'the facts of a platform tell the shapes of its ids, and whether people have roles',
      check(async ({ stage: { place }, ann, mod }) => {
        expect(place.platform).toBe(platform);
        const community = place.community.slice(place.platform.length + 1);
        expect(isIdOf(place.platform, 'community', community)).toBe(true);
        for (const { caller } of [ann, mod])
          for (const whose of ['speaker', 'directChat'] as const)
            expect(isIdOf(place.platform, whose, caller.id), whose).toBe(true);
        expect(factsOf(place.platform).hasRoles, 'hasRoles').toBe(!('roles' in driver.lacks));
      }),
    );
  });
};
