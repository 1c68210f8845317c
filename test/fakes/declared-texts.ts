import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../commands/index.ts';
import { buttonName, namedButtons } from '../../src/command/button-names.ts';
import { SIMPLE_SETTINGS } from '../../src/command/community-settings.ts';
import { refusalCodes, refusalTextAfterWaiting } from '../../src/command/gate-refusal.ts';
import { type Description, descriptionIn } from '../../src/command/option.ts';
import { jobKinds, kindName } from '../../src/kinds/kinds.ts';
import type { InEveryLanguage, Language, OtherLanguage } from '../../src/words/language.ts';

/** The texts that stand beside the declaration of what they name, which are not in src/words. */

/** All descriptions of commands, subcommands and options, and their entries in menus, by path. */
export const descriptions: readonly (readonly [path: string, said: Description])[] = commands.flatMap(
  ({ name: command, description, menu, action, subcommands }) => [
    [command, description] as const,
    ...(menu === undefined ? [] : [[`${command}:menu`, menu] as const]),
    ...Object.entries({ '': action, ...subcommands }).flatMap(([name, each]) => {
      const path = name === '' ? command : `${command}.${name}`;
      const options = Object.entries(each?.options ?? {});
      return [
        ...(name === '' || each === undefined ? [] : [[path, each.description] as const]),
        ...(each?.jobMenu === undefined ? [] : [[`${path}:menu`, each.jobMenu.title] as const]),
        ...options.map(([option, said]) => [`${path}.${option}`, said.description] as const),
      ];
    }),
  ],
);

const folder = join(import.meta.dirname, '../../commands/texts');

/** A translation of a declaration into one language. */
interface Translation {
  readonly description: string;
  readonly options?: Readonly<Record<string, string>>;
}
type Translations = Readonly<Record<OtherLanguage, Translation>>;

/** A file of a command's texts. */
interface TextFile {
  readonly translations: Translations;
  readonly subcommands?: Readonly<Record<string, Translations>>;
  readonly rules?: Readonly<Record<string, InEveryLanguage<unknown>>>;
}

/** The file of each command's texts, by the name of the command. */
export const textFiles: Readonly<Record<string, TextFile>> = Object.fromEntries(
  await Promise.all(
    readdirSync(folder).map(async (file) => [file.replace('.ts', ''), await import(join(folder, file))]),
  ),
);

/** The rules that commands state, by path. */
const rules = Object.entries(textFiles).flatMap(([command, { rules: stated = {} }]) =>
  Object.entries(stated).map(([name, said]) => [`commands/texts/${command}.ts: ${name}`, said] as const),
);

/** Each of these texts in a language, by path; a text with parameters is a function. */
export const declaredTexts = (language: Language): readonly (readonly [path: string, said: unknown])[] => [
  ...descriptions.map(
    ([path, said]) => [`commands/texts: ${path}`, descriptionIn(said, { language })] as const,
  ),
  ...rules.map(([path, said]) => [path, said[language]] as const),
  ...jobKinds.map((kind) => [`src/kinds/kinds.ts: ${kind}`, kindName(kind, { language })] as const),
  ...namedButtons.map(
    (verb) => [`src/command/button-names.ts: ${verb}`, buttonName(verb, { language })] as const,
  ),
  ...refusalCodes.map(
    (code) => [`src/command/gate-refusal.ts: ${code}`, refusalTextAfterWaiting(code, { language })] as const,
  ),
  ...Object.entries(SIMPLE_SETTINGS).flatMap(([name, row]) => [
    [`the setting ${name}`, row.name[language]] as const,
    [`the setting ${name}: its standard value`, row.text(row.standard, { language })] as const,
    [`the setting ${name}: changed`, row.changed(row.standard, { language }, 0)] as const,
  ]),
];
