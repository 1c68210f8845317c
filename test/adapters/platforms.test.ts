import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectionOf } from '../../src/adapters/connections.ts';
import { createAdapters } from '../../src/app/adapters.ts';
import { readConfig } from '../../src/config/config.ts';
import { secretNames, settingNames } from '../../src/config/settings.ts';
import { createLog } from '../../src/log/log.ts';
import { PLATFORMS } from '../../src/platforms/platforms.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { unused } from '../fakes/adapter.ts';
import { createFakeClock } from '../fakes/clock.ts';
import { platformSettings } from '../fakes/platform-settings.ts';
import { createRecords } from '../fakes/records.ts';
import { createScriptedDesk } from '../fakes/scripted-desk.ts';
import { soleMember } from '../fakes/sole-member.ts';

/** Rules of every platform, and so of a platform that is added. */

/** The platforms that are connected with settings; the playground is none. */
const connected = PLATFORMS.flatMap((platform) => {
  const connection = connectionOf(platform);
  return connection === undefined ? [] : [{ platform, connection }];
});

it.each(connected)('$platform is off without its token, which is a secret', ({ connection }) => {
  const [token = ''] = Object.keys(connection.settings);

  expect(connection.read({})).toBeUndefined();
  expect(token).toMatch(/_TOKEN$/);
  expect(secretNames).toContain(token);
});

/** Known to everybody who looks at the application. */
const PUBLIC_KEYS = ['DISCORD_PUBLIC_KEY'];

it('each setting that is named like a secret is one, unless it is known as public', () => {
  const named = settingNames.filter((name) => /(TOKEN|KEY|SECRET|PASSWORD)$/.test(name));
  expect(named.filter((name) => !secretNames.includes(name)).toSorted()).toEqual(PUBLIC_KEYS);
});

it.each(connected)(
  'the setup of $platform asks for its token first, and for settings of its own',
  ({ connection }) => {
    const names = Object.keys(connection.settings);
    const asked = connection.setup.map(({ setting }) => setting);

    expect(asked[0]).toBe(names[0]);
    expect(names).toEqual(expect.arrayContaining(asked));
  },
);

it.each(PLATFORMS)('the adapter suite is run with %s', (platform) => {
  const file = `test/contract/adapter/${platform}.test.ts`;
  expect(existsSync(join(import.meta.dirname, '../..', file)), `${file} exists`).toBe(true);
});

it.each(connected)(
  'all settings of $platform are in its fakes, and connect it',
  async ({ platform, connection }) => {
    const names = Object.keys(connection.settings);
    const given = Object.entries(platformSettings).filter(([name]) => names.includes(name));
    const missing = names.filter((name) => platformSettings[name] === undefined);

    expect(missing.join(), `not in test/fakes/${platform}/settings.ts`).toBe('');

    const stored: string[] = [];
    const { adapters, mounts } = await createAdapters(readConfig(Object.fromEntries(given)), {
      desk: createScriptedDesk(),
      store: {
        keyv(namespace) {
          stored.push(namespace);
          return createRecords();
        },
        inbox: (await openSqliteStore({ path: ':memory:', keys: [] })).inbox,
      },
      members: soleMember,
      sharedPace: undefined,
      clock: createFakeClock(),
      log: createLog({ level: 'silent', secrets: [] }),
      tellOwners: unused,
      preview: unused,
      migrated: unused,
      memberships: { joined: unused, left: unused },
    });
    expect(adapters.map((adapter) => adapter.platform)).toEqual([platform]);
    expect(stored.filter((namespace) => !namespace.startsWith(`adapter:${platform}`))).toEqual([]);
    for (const { path } of mounts) expect(path).toMatch(/^\/\w/);
  },
);
