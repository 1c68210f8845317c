import { connectionOf } from '../../src/adapters/connections.ts';
import { PLATFORMS } from '../../src/platforms/platforms.ts';

const settingsOf = async (platform: string): Promise<Readonly<Record<string, string>>> => {
  try {
    return (await import(`./${platform}/settings.ts`)).settings;
  } catch (cause) {
    throw new Error(`test/fakes/${platform}/settings.ts is missing: a value for each setting`, { cause });
  }
};

/** Settings of every platform that people know, from `test/fakes/PLATFORM/settings.ts`. */
export const platformSettings: Readonly<Record<string, string>> = Object.assign(
  {},
  ...(await Promise.all(
    PLATFORMS.filter((platform) => connectionOf(platform) !== undefined).map(settingsOf),
  )),
);
