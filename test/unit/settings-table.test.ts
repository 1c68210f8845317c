import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { envExample, withSettingsTable } from '../../scripts/settings-table.ts';
import { readConfig } from '../../src/config/config.ts';
import { settingNames } from '../../src/config/settings.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
const CURE = 'out of date: run `npx node scripts/settings-table.ts`';

describe('the settings as documented', () => {
  it('the settings in docs/settings.md are the ones that exist', () => {
    expect(withSettingsTable(read('docs/settings.md')), CURE).toBe(read('docs/settings.md'));
  });

  it('the settings in .env.example are the ones that exist', () => {
    expect(read('.env.example'), CURE).toBe(envExample());
  });

  it('the settings in .env.example change nothing when all are used as they are', () => {
    const env = parseEnv(envExample().replaceAll(/^#(?=[A-Z])/gm, ''));
    expect(Object.keys(env).sort()).toEqual(settingNames.toSorted());
    expect(readConfig(env)).toEqual(readConfig({}));
  });
});
