import { PLATFORMS, profileOf } from '../../src/adapters/profiles.ts';

/** Of every platform that people know: `test/fakes/PLATFORM/settings.ts`. */
export const platformSettings: Readonly<Record<string, string>> = Object.assign(
  {},
  ...(await Promise.all(
    PLATFORMS.filter((platform) => profileOf(platform).connection !== undefined).map(
      async (platform) => (await import(`./${platform}/settings.ts`)).settings,
    ),
  )),
);
