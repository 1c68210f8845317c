import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import settings from '../../../commands/settings.ts';
import {
  SIMPLE_SETTINGS,
  type SimpleSetting,
  type SpecialSetting,
  settingIn,
  simpleSettings,
} from '../../../src/command/community-settings.ts';
import type { Given, Option } from '../../../src/command/option.ts';
import type { Caller, Place } from '../../../src/command/place.ts';
import { partsOf, type SettingPart, type SettingValue, valueFrom } from '../../../src/command/setting-row.ts';
import { createAllowanceOf } from '../../../src/community/rules/allowance.ts';
import { createCommunityRules } from '../../../src/community/rules/community-rules.ts';
import { createCommunityData } from '../../../src/console/pages/community-data.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { stageConsole } from '../../fakes/console.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';
import type { ConsoleBrowser } from '../../fakes/web/console-browser.ts';

/** The values of all settings are read everywhere they are shown, so a setting that is added is tried, too. */

const words = wordsFor('en');
const moderator: Caller = { platform: 'discord', id: '2', name: 'Mod', locale: 'en' };
const owner: Caller = { ...moderator, id: '3' };

const placeIn = (community: string): Place => ({
  platform: 'discord',
  community: `discord:${community.toLowerCase()}`,
  channel: community.toLowerCase(),
  direct: false,
});

let folder: string;
let store: Store;
let core: TestCore;
let browser: ConsoleBrowser;

const open = async (): Promise<void> => {
  store = await openSqliteStore({ path: join(folder, 'store.sqlite'), keys: [] });
  core = await createTestCore({ store, owners: ['discord:3'], isModerator: async () => true });
  const parts = {
    approvalNeeded: false,
    ceiling: undefined,
    store,
    ...core,
    campaigns: { of: async () => new Map(), upcoming: async () => ({ list: [], isAll: true }) },
    allowances: createAllowanceOf(100, 1000),
    clock: { now: Date.now },
  };
  browser = await stageConsole({ communities: createCommunityData(parts) }).signedIn();
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
  await open();
});

afterAll(async () => {
  await core.close();
  await rm(folder, { recursive: true });
});

const send = ({ community }: Place, subcommand: string, given: Given, caller = moderator): Promise<string> =>
  core.says(caller, community, `settings ${subcommand}`, given);

/** The settings as another process reads them. */
const stored = ({ community }: Place) =>
  createCommunityRules(store.keyv('settings'), Date.now).show(community);

const lastLine = async ({ community }: Place) => {
  const [line] = await store.audit.recent(community, 1);
  return line && { actor: line.actor, action: line.action, detail: line.detail };
};

const pageOf = async ({ community }: Place) =>
  browser.press(await browser.get('/owner/communities'), 'Open', { community });

/** Values of an option. */
const valuesOfOption = (option: Option): readonly SettingPart[] => {
  switch (option.kind) {
    case 'choice':
      return option.choices;
    case 'flag':
      return [true, false];
    case 'integer':
      return [option.min, option.max];
    case 'time-zone':
      return ['Europe/Berlin', 'America/New_York'];
    default:
      return ['one', 'two words'];
  }
};

/** Values of a setting, in which each option has each of its values. The standard comes last, so that it is also gone back to. */
const valuesOf = (name: SimpleSetting): readonly SettingValue[] => {
  const row = SIMPLE_SETTINGS[name];
  const standard = partsOf(row, row.standard);
  const changed = Object.entries(row.options).flatMap(([option, declared]) =>
    valuesOfOption(declared).map((part) => valueFrom(row, { ...standard, [option]: part })),
  );
  return [...changed, row.standard];
};

/** The options that a person types, or sends with a form, to choose this value. */
const typedAs = (name: SimpleSetting, value: SettingValue): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(partsOf(SIMPLE_SETTINGS[name], value)).map(([option, part]) => [option, String(part)]),
  );

describe.each(simpleSettings)('%s', (name) => {
  const row = SIMPLE_SETTINGS[name];
  const { command } = row;
  const label = row.name.en;
  const shown = (value: SettingValue) => words.settings.shown(label, row.text(value, words));

  it(`${name} as a moderator chose it is in the record, the answers, the console and the audit trail`, async () => {
    const place = placeIn(`moderator-${name}`);
    expect(await send(place, 'show', {})).toContain(shown(row.standard));

    for (const value of valuesOf(name)) {
      expect(await send(place, command, typedAs(name, value))).toContain(row.text(value, words));
      expect(await stored(place)).toEqual({ blocked: [], bannedWords: [], [name]: value });
      expect(settingIn(await stored(place), name)).toEqual(value);
      expect(await send(place, 'show', {})).toContain(shown(value));
      expect(await lastLine(place)).toEqual({
        actor: 'discord:2',
        action: `settings.${command}`,
        detail: partsOf(row, value),
      });
      const page = await pageOf(place);
      expect(page.text.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')).toContain(
        `${label} ${row.text(value, words)}`,
      );
      // The form is filled in with the value, so that sent as it is it asks for the same.
      const asked = await browser.press(page, `Change: ${label}`);
      for (const [option, part] of Object.entries(typedAs(name, value)))
        expect(asked.text).toContain(`name="${option}" value="${part}"`);
    }
  });

  it(`${name} as the owner chose it in the console is the same, and a moderator can change it`, async () => {
    const place = placeIn(`console-${name}`);

    for (const value of valuesOf(name)) {
      const asked = await browser.press(await pageOf(place), `Change: ${label}`, typedAs(name, value));
      const done = await browser.press(asked, 'Change it');
      expect(done.text).toContain('The setting was changed.');
      expect(settingIn(await stored(place), name)).toEqual(value);
      expect(await lastLine(place)).toEqual({
        actor: 'console:owner',
        action: `settings.${command}`,
        detail: partsOf(row, value),
      });
    }
    const [option = ''] = Object.keys(row.options);
    const refused = await browser.press(await pageOf(place), `Change: ${label}`, { [option]: '' });

    expect(refused.status).toBe(400);

    const [value = ''] = valuesOf(name);
    expect(await send(place, command, typedAs(name, value))).toContain(row.text(value, words));
  });
});

const TABLE = 'SIMPLE_SETTINGS in src/command/community-settings.ts';

it('no two settings of a community have the same command', () => {
  const rows = simpleSettings.map((name) => ({ ...SIMPLE_SETTINGS[name], name }));
  const own = rows.map(({ example }) => example);
  const special = settings.examples.filter((line) => !own.includes(line)).map((line) => line.split(' ')[1]);
  const twice = rows.filter(
    ({ name, command }) =>
      special.includes(command) || rows.some((other) => other.name !== name && other.command === command),
  );
  const found = twice.map(({ name, command }) => `${name}: /settings ${command}`);

  expect(found.join(', '), `also of another setting, in ${TABLE} or commands/settings.ts`).toBe('');
});

const here = { platform: 'discord', direct: false };

/** A command of a special setting. */
interface Step {
  readonly subcommand: string;
  readonly given: Given;
  /** The value of the setting in the record after it. */
  readonly stored: unknown;
  /** A part of what `show` says after it. */
  readonly shown: string;
  /** The person who sends it; a moderator, if nobody is named. */
  readonly by?: Caller;
}

const steps = {
  credits: [
    { subcommand: 'credits', given: { amount: 7 }, stored: 7, shown: 'each person: 7' },
    { subcommand: 'credits', given: { amount: 0 }, stored: 0, shown: 'each person: 0' },
  ],
  creditsByOwner: [
    { subcommand: 'credits', given: { amount: 9 }, stored: true, shown: '9 (set by an owner', by: owner },
  ],
  allowances: [
    {
      subcommand: 'allowance',
      given: { who: '77', amount: 8 },
      stored: [{ who: '77', credits: 8 }],
      shown: ': 8',
    },
    { subcommand: 'allowance', given: { who: '77' }, stored: [], shown: 'each person' },
  ],
  paused: [
    {
      subcommand: 'pause',
      given: { reason: 'back soon' },
      stored: { reason: 'back soon' },
      shown: 'Paused: back soon',
    },
    { subcommand: 'resume', given: {}, stored: undefined, shown: 'Not paused' },
  ],
  log: [
    {
      subcommand: 'log',
      given: { where: 'here' },
      stored: expect.objectContaining(here),
      shown: 'Log channel: here',
    },
    { subcommand: 'log', given: { where: 'off' }, stored: undefined, shown: 'Log channel: none' },
  ],
  channels: [
    {
      subcommand: 'channels',
      given: { where: 'here' },
      stored: [expect.objectContaining(here)],
      shown: 'made only in: here',
    },
    { subcommand: 'channels', given: { where: 'not-here' }, stored: [], shown: 'made in no channel' },
    {
      subcommand: 'channels',
      given: { where: 'everywhere' },
      stored: undefined,
      shown: 'made in every channel',
    },
  ],
  blocked: [
    {
      subcommand: 'block',
      given: { user: '77', reason: 'spam' },
      stored: [{ user: '77', reason: 'spam' }],
      shown: 'Blocked people: 1',
    },
    { subcommand: 'unblock', given: { user: '77' }, stored: [], shown: 'Blocked people: 0' },
  ],
  bannedWords: [
    { subcommand: 'banword', given: { word: 'grue' }, stored: ['grue'], shown: 'Blocked words: 1' },
    { subcommand: 'allowword', given: { word: 'grue' }, stored: [], shown: 'Blocked words: 0' },
  ],
} satisfies Readonly<Record<SpecialSetting, readonly [Step, ...Step[]]>>;

const special = Object.entries<readonly [Step, ...Step[]]>(steps).map(([name, all]) => ({ name, all }));

it.each(special)(
  'the setting $name is in the record, in the answers and in the audit trail',
  async ({ name, all }) => {
    const place = placeIn(`special-${name}`);

    for (const { subcommand, given, stored: value, shown, by = moderator } of all) {
      await send(place, subcommand, given, by);

      const found: Readonly<Record<string, unknown>> = await stored(place);
      expect(found[name]).toEqual(value);
      expect(await send(place, 'show', {})).toContain(shown);
      const line = await lastLine(place);
      expect(line).toMatchObject({ actor: `discord:${by.id}`, action: `settings.${subcommand}` });
    }
  },
);

it('all settings of a community are there after a restart', async () => {
  const place = placeIn('all');

  for (const name of simpleSettings) await core.rules.set(place.community, name, valuesOf(name)[0] ?? '');
  for (const {
    all: [{ subcommand, given, by }],
  } of special)
    await send(place, subcommand, given, by);
  const before = await stored(place);

  expect(Object.keys(before).toSorted()).toEqual([...simpleSettings, ...Object.keys(steps)].toSorted());

  const shown = await send(place, 'show', {});
  await core.close();
  await open();
  expect(await core.rules.show(place.community)).toEqual(before);
  expect(await send(place, 'show', {})).toBe(shown);
});

it('each simple setting of a community has a name of its own', () => {
  const own = new Set(simpleSettings.map((name) => SIMPLE_SETTINGS[name].name.en));
  expect(own.size).toBe(simpleSettings.length);
});

it('the value of every simple setting of a community is used', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  // A statement that only calls `settingIn` does not use the value, so it does not count.
  const isUsed = (name: string) => {
    const use = new RegExp(String.raw`(?:[=(,?:&|!>[]|\$\{|\breturn)\s*settingIn\([^;]*'${name}'\)`);
    return texts.some((text) => use.test(text));
  };

  const unused = simpleSettings.filter((name) => !isUsed(name));

  expect(unused.join(), 'no value of this setting is used').toBe('');
});
