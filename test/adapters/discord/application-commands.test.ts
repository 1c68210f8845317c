import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { registration } from '../../../src/adapters/discord/application-commands.ts';
import { defineAction, defineCommand, defineCommandGroup } from '../../../src/command/command.ts';
import { inEachLanguage } from '../../../src/words/language.ts';
import { createRequestCheck } from '../../fakes/discord/openapi.ts';

const run = async () => ({ kind: 'note' as const, text: '' });

const sample = defineCommand({
  name: 'sample',
  description: 'x'.repeat(150),
  translations: inEachLanguage((language) => ({
    description: language === 'de' ? 'Muster' : 'x'.repeat(150),
    menu: language === 'de' ? 'Mach das' : 'Do it',
    options: {
      look: 'Look',
      photo: language === 'de' ? 'Foto' : 'Photo',
      count: 'Count',
      prompt: 'Prompt',
      filter: 'Filter',
      private: 'Private',
    },
  })),
  examples: [],
  menu: 'Do it',
  options: {
    look: { kind: 'choice', description: 'Look', choices: ['a', 'male'], default: 'a' },
    photo: { kind: 'image', description: 'Photo', required: true },
    count: { kind: 'integer', description: 'Count', min: 1, max: 9 },
    prompt: { kind: 'text', description: 'Prompt', required: true, max: 9_000 },
    filter: { kind: 'reference', description: 'Filter', model: 'any', catalog: 'face' },
    private: { kind: 'flag', description: 'Private' },
  },
  run,
});

const group = defineCommandGroup({
  name: 'group',
  description: inEachLanguage(() => 'Group'),
  access: 'moderator',
  examples: [],
  subcommands: {
    show: defineAction({
      description: inEachLanguage(() => 'Show'),
      options: { who: { kind: 'user', description: 'Who' } },
      run,
    }),
  },
});

type Part = Readonly<Record<string, unknown>>;

/** The size of a command as Discord counts it: names, descriptions and values, each in its longest language. */
const sizeOf = (part: Part): number => {
  const longest = (key: string): number => {
    const all = [part[key] ?? '', ...Object.values(part[`${key}_localizations`] ?? {})];
    return Math.max(...all.map((text) => String(text).length));
  };
  const inside = [part.options, part.choices].flatMap((each) => (each ?? []) as readonly Part[]);
  const sizes = [...['name', 'description', 'value'].map(longest), ...inside.map(sizeOf)];
  return sizes.reduce((sum, size) => sum + size);
};

describe('registration', () => {
  const [first, second, menu] = registration([sample, group]);

  test('a registered command has required options first, and ranges, choices and suggestions in its schema', () => {
    expect(first).toMatchObject({
      name: 'sample',
      description: `${'x'.repeat(99)}…`,
      contexts: [0, 1, 2],
      integration_types: [0, 1],
      options: [
        { name: 'photo', type: 11, required: true, file_types: ['image'] },
        { name: 'prompt', type: 3, required: true, min_length: 1, max_length: 6000 },
        { name: 'look', type: 3, choices: [{ name: 'a' }, { name: 'male', value: 'male' }] },
        { name: 'count', type: 4, min_value: 1, max_value: 9 },
        { name: 'filter', type: 3, autocomplete: true },
        { name: 'private', type: 5 },
      ],
    });
  });

  test('moderator commands are registered for those who manage the server', () => {
    expect(first).not.toHaveProperty('default_member_permissions');
    expect(second).toMatchObject({
      default_member_permissions: '32',
      options: [{ type: 1, name: 'show', options: [{ name: 'who', type: 6 }] }],
    });
  });

  test('a command with a menu title is also registered on the menu of every message', () => {
    expect(menu).toMatchObject({ type: 3, name: 'Do it', contexts: [0, 1, 2] });
    expect(menu).not.toHaveProperty('description');
  });

  test('descriptions, choices and menus are registered in the other languages that Discord knows', () => {
    const [localised, menuOfSample] = registration([sample]);

    expect(menuOfSample).toMatchObject({ name: 'Do it', name_localizations: { de: 'Mach das' } });
    expect(localised).toMatchObject({
      description_localizations: { de: 'Muster' },
      options: [
        { description_localizations: { de: 'Foto' } },
        {},
        { choices: [{ name: 'a' }, { name: 'male', value: 'male', name_localizations: { de: 'Mann' } }] },
        {},
        {},
        {},
      ],
    });
  });

  test('all commands fit Discord’s limits, and its OpenAPI specification if it is there', () => {
    const all = registration(commands);
    expect(all.filter((each) => each.type === 1)).toHaveLength(commands.length);
    for (const each of all) expect(sizeOf(JSON.parse(JSON.stringify(each)))).toBeLessThan(8_000);

    const check = createRequestCheck();
    const problems = check?.(
      'PUT',
      '/applications/1/commands',
      new URLSearchParams(),
      JSON.parse(JSON.stringify(all)),
    );
    expect(problems ?? []).toEqual([]);
  });
});
