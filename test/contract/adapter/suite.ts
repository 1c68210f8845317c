import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Adapter } from '../../../src/adapters/adapter.ts';
import { isIdOf, PLATFORMS, profileOf } from '../../../src/adapters/profiles.ts';
import { adapterCases } from './cases/adapter-parts.ts';
import type { Run } from './cases/cases.ts';
import { cases } from './covered.ts';
import type { AdapterDriver, House } from './driver.ts';
import { openScene } from './scene.ts';

/** Runs one case in a scene of its own. */
export const runCase = async (
  run: Run,
  house: House,
  driver: Pick<AdapterDriver, 'lacks'>,
  patienceMs?: number,
): Promise<void> => {
  const scene = await openScene(house, driver, patienceMs);
  try {
    await run(scene);
  } finally {
    await scene.stage.end();
  }
  expect(scene.stage.complaints()).toEqual([]);
};

/** What every chat platform must do, seen from the people in front of it. */
export const adapterSuite = (driver: AdapterDriver): void => {
  describe(`adapter: ${driver.name}`, () => {
    let house: House;
    beforeAll(async () => {
      house = await driver.open();
    });
    afterAll(() => house.close());

    for (const [name, run] of cases) {
      const why = run.needs?.map((ability) => driver.lacks[ability]).find((reason) => reason !== undefined);
      if (why === undefined) test(name, () => runCase(run, house, driver));
      else test.skip(`${name} (${why})`, () => undefined);
    }

    test('the parts that it says it lacks are those that it lacks', async () => {
      const { stage } = await openScene(house, driver);
      const isThere = (part: keyof Adapter): boolean => stage.adapter[part] !== undefined;
      for (const part of Object.keys(adapterCases) as (keyof Adapter)[])
        expect(isThere(part), part).toBe(!(part in driver.lacks));
      await stage.end();
    });

    // The small adapter borrows the name of another platform.
    const platform = PLATFORMS.find((each) => driver.name.startsWith(each));
    test.skipIf(platform === undefined)(
      'its profile knows its ids, and whether people have roles',
      async () => {
        const { stage } = await openScene(house, driver);
        const { place, ann, mod } = stage;
        expect(place.platform).toBe(platform);
        expect(isIdOf(place.platform, 'community', place.community.slice(place.platform.length + 1))).toBe(
          true,
        );
        for (const { caller } of [ann, mod])
          for (const whose of ['speaker', 'directChat'] as const)
            expect(isIdOf(place.platform, whose, caller.id), whose).toBe(true);
        expect(profileOf(place.platform).hasRoles, 'hasRoles').toBe(!('roles' in driver.lacks));
        await stage.end();
      },
    );
  });
};
