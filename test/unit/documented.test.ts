import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobButtons } from '../../commands/buttons/job.ts';
import { commands } from '../../commands/index.ts';
import { buttonName, namedButtons } from '../../src/command/button-names.ts';
import {
  SIMPLE_SETTINGS,
  type SpecialSetting,
  simpleSettings,
} from '../../src/command/community-settings.ts';
import { isAlwaysRequired, type Options } from '../../src/command/option.ts';
import { settingNames } from '../../src/config/settings.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { TABLES } from '../../src/store/tables/schema.ts';
import { createTestCore } from '../fakes/core.ts';
import { FIRST_BUTTONS, FIRST_OPTIONS, FIRST_SETTINGS } from '../fixtures/first-names.ts';
import { privacyRows, storedRecords } from '../stored-records.ts';

/** Everything that people can type, press and set, and all that is stored, is in the documents. */

const root = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
/** The text of a file without the ends of its lines, which can fall between any two words. */
const textOf = (name: string): string => read(name).replaceAll(/\s+/g, ' ');

const rowsOf = (name: string): readonly string[] =>
  read(name)
    .split('\n')
    .filter((line) => line.startsWith('|'));

const labels: Readonly<Record<string, string>> = Object.fromEntries(
  namedButtons.map((verb) => [verb, buttonName(verb, { language: 'en' })]),
);

/** A file or folder of the project, in backquotes; `*` and `{a,b}` stand for several. */
const NAMED_FILE = /`((?:src|test|scripts|commands|docs)\/[\w./{},*-]+)`/g;
/** Files that a contributor is to make. */
const TO_BE_MADE = /your|fixtures\/stores\/\d/;

it.each(globSync('{*.md,docs/*.md}', { cwd: root }))('every file that %s names exists', (document) => {
  const named = [...read(document).matchAll(NAMED_FILE)].map(([, file = '']) => file);
  const missing = named.filter(
    (file) => !TO_BE_MADE.test(file) && globSync(file, { cwd: root }).length === 0,
  );
  expect(missing, `${document} names files that do not exist`).toEqual([]);
});

/** A script of package.json, or a program that is started by its path. */
const NAMED_SCRIPT = /\bnpm run (?:-s )?([\w:]+)/g;
const NAMED_PROGRAM = /\bnode ((?:src|scripts|test)\/[\w./-]+\.ts)/g;

it.each(globSync('{*.md,docs/*.md}', { cwd: root }))('every command that %s names can be run', (document) => {
  const page = read(document);
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...page.matchAll(NAMED_SCRIPT)].map(([, script = '']) => script);
  const programs = [...page.matchAll(NAMED_PROGRAM)].map(([, program = '']) => program);

  expect(named.filter((script) => !(script in scripts))).toEqual([]);
  expect(programs.filter((program) => globSync(program, { cwd: root }).length === 0)).toEqual([]);
});

/** A link to a file of the project, `[text](file.md#heading)`; addresses with a scheme are left alone. */
const RELATIVE_LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g;

/** The ids that GitHub gives the headings of a page. */
const headingIds = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it.each(globSync('{*.md,docs/*.md}', { cwd: root }))('every link of %s leads somewhere', (document) => {
  const page = read(document).replaceAll(/```[\s\S]*?```/g, '');
  const dead = [...page.matchAll(RELATIVE_LINK)].filter(([, file = '', heading]) => {
    const target = file === '' ? document : join(dirname(document), file);
    if (globSync(target, { cwd: root }).length === 0) return true;
    return heading !== undefined && !headingIds(read(target)).includes(heading);
  });
  expect(
    dead.map(([link]) => link),
    `${document} has links to files or headings that do not exist`,
  ).toEqual([]);
});

describe('docs/commands.md', () => {
  const page = textOf('docs/commands.md');
  const rows = rowsOf('docs/commands.md');

  it.each(commands)('docs/commands.md has a row for /$name', ({ name }) =>
    expect(
      rows.filter((row) => row.startsWith('| `/') && row.includes(`\`/${name}\``)),
      `docs/commands.md: the table of commands needs one row that begins with | \`/${name}\` |`,
    ).toHaveLength(1),
  );

  it.each(jobButtons.filter(({ verb }) => verb in labels))(
    'docs/commands.md names the button $verb',
    ({ verb }) => {
      const name = `**${labels[verb]}**`;
      expect(page.includes(name), `docs/commands.md does not name the button: ${name}`).toBe(true);
    },
  );

  /** How the row of `/settings` names each setting. */
  const settings = {
    credits: 'daily credits',
    creditsByOwner: 'daily credits',
    allowances: 'allowances',
    paused: 'pause',
    log: 'log channel',
    channels: 'channels',
    blocked: 'blocks',
    bannedWords: 'blocked words',
    ...Object.fromEntries(simpleSettings.map((name) => [name, SIMPLE_SETTINGS[name].name.en.toLowerCase()])),
  } satisfies Readonly<Record<SpecialSetting, string>>;

  it.each(Object.entries(settings))(
    'docs/commands.md names the setting %s in the row of /settings',
    (_, name) =>
      expect(
        rows.find((row) => row.includes('`/settings`')),
        `docs/commands.md: the row of \`/settings\` does not say "${name}"`,
      ).toContain(name),
  );
});

describe('CHANGELOG.md', () => {
  const changelog = textOf('CHANGELOG.md');

  const actions = commands.flatMap(({ name, action, subcommands = {} }) =>
    action === undefined
      ? Object.entries(subcommands).map(([sub, each]) => ({ line: `/${name} ${sub}`, each }))
      : [{ line: `/${name}`, each: action }],
  );

  /** Options that can be left out. The others are typed whenever the command is. */
  const optionsOf = (line: string, options: Options) =>
    Object.entries(options)
      .filter(([, option]) => !isAlwaysRequired(option))
      .map(([name]) => name)
      // The desk adds it to every command that makes something.
      .filter((name) => name !== 'private')
      .filter((option) => !(FIRST_OPTIONS[line] ?? '').split(' ').includes(option))
      .map((option) => ({ title: `the option ${option} of ${line}`, says: [`\`${option}\``, `${option}=`] }));

  const names = [
    ...settingNames
      .filter((name) => !FIRST_SETTINGS.includes(name))
      .map((name) => ({ title: name, says: [`\`${name}`] })),
    ...jobButtons
      .flatMap(({ verb }) => labels[verb] ?? [])
      .filter((label) => !FIRST_BUTTONS.includes(label))
      .map((label) => ({ title: `the button ${label}`, says: [label] })),
    ...actions.flatMap(({ line, each }) => [
      ...(line in FIRST_OPTIONS ? [] : [{ title: line, says: [`\`${line}`] }]),
      ...optionsOf(line, each.options),
    ]),
  ];

  it.each(names)('CHANGELOG.md tells of $title', ({ says }) =>
    expect(
      says.some((each) => changelog.includes(each)),
      `CHANGELOG.md has to say what is new, below "Unreleased", with this name in it: ${says.join(' or ')}`,
    ).toBe(true),
  );
});

describe('docs/privacy.md', () => {
  const untoldRecords = 'name them in test/stored-records.ts, and tell of them in docs/privacy.md';
  const rows = rowsOf('docs/privacy.md').map((row) => row.split('|')[1]?.trim() ?? '');

  it.each(privacyRows())('docs/privacy.md has a row for %s', (beginning) =>
    expect(
      rows.some((row) => row.startsWith(beginning)),
      `docs/privacy.md: the table needs a row that begins with "${beginning}" (test/stored-records.ts says so)`,
    ).toBe(true),
  );

  it('docs/privacy.md tells of every table', () =>
    expect(
      TABLES.map(({ name }) => name).filter((name) => !(name in storedRecords.tables)),
      untoldRecords,
    ).toEqual([]));

  it('docs/privacy.md tells of every namespace of records', async () => {
    const store = await openSqliteStore({ path: ':memory:', keys: [] });
    const opened: string[] = [];
    const keyv: typeof store.keyv = (namespace, rules) => {
      opened.push(namespace);
      return store.keyv(namespace, rules);
    };

    const core = await createTestCore({ store: { ...store, keyv } });

    await core.close();
    expect(opened).toContain('settings');

    const untold = opened.filter((name) => !(name in storedRecords.namespaces));
    expect(untold, untoldRecords).toEqual([]);
  });
});
