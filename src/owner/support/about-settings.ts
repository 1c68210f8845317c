import { ConfigError, readConfig } from '../../config/config.ts';
import { aboutSetting, type Env, fileNameOf, secretNames, settingNames } from '../../config/settings.ts';

/** Which settings are given, without their values, except those that everybody may see, and the names in the complaints of the start. */
export function aboutSettings(env: Env, error: ConfigError | undefined) {
  const all = settingNames.flatMap((name) => [
    ...(env[name]?.trim() ? [ofValue(name, env[name].trim())] : []),
    ...(env[fileNameOf(name)]?.trim() && secretNames.includes(name)
      ? [{ name, given: 'file' } as const]
      : []),
  ]);
  const complaints = error?.message.split('\n').map((line) => line.split(':')[0] ?? '') ?? [];
  const known = [...settingNames, ...settingNames.map(fileNameOf), '.env'];
  return { set: all, malformed: complaints.filter((name) => known.includes(name)) };
}

function ofValue(name: string, value: string) {
  const given = { name, given: 'yes' } as const;
  if (aboutSetting(name).shownTo !== 'everybody') return given;
  return isValid(name, value) ? { ...given, value } : { ...given, isMalformed: true };
}

function isValid(name: string, value: string): boolean {
  try {
    readConfig({ [name]: value });
    return true;
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
