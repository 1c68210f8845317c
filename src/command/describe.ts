import type { Words } from '../words/words.ts';
import { actionIn, type Command, type JobMenu } from './command.ts';
import { isAlwaysRequired } from './option.ts';

/** The entry of a command in the menu of a message, in a language. */
export const menuEntry = (words: Words, { name, menu }: Command): string | undefined =>
  menu === undefined ? undefined : (words.descriptions[`${name}:menu`] ?? menu);

/** An entry in the menu of the bot's own messages, with the subcommand that it runs. */
export interface JobMenuEntry extends JobMenu {
  readonly command: Command;
  readonly subcommand: string;
}

/** All of these entries. */
export const jobMenuEntries = (commands: readonly Command[]): readonly JobMenuEntry[] =>
  commands.flatMap((command) =>
    Object.entries(command.subcommands ?? {}).flatMap(([subcommand, { jobMenu }]) =>
      jobMenu === undefined ? [] : [{ ...jobMenu, command, subcommand }],
    ),
  );

/** The title of such an entry in a language. */
export const jobMenuTitle = (words: Words, { command, subcommand, title }: JobMenuEntry): string =>
  words.descriptions[`${command.name}.${subcommand}:menu`] ?? title;

/**
 * Descriptions of commands, subcommands and options in a language, by path (`alias.create.name`; `alias.*.name` and
 * `*.private` are for options that are described in the same way). Names and choices that can be typed are the same in every
 * language; only their descriptions are translated.
 */
export function describe(words: Words, command: Command, subcommand?: string, option?: string): string {
  const path = [command.name, subcommand, option].filter((part) => part !== undefined).join('.');
  const paths = option === undefined ? [path] : [path, `${command.name}.*.${option}`, `*.${option}`];
  const translated = paths.flatMap((each) => words.descriptions[each] ?? [])[0];
  const action = actionIn(command, subcommand);
  const said = option === undefined ? (subcommand === undefined ? command : action) : action?.options[option];
  const own = said?.description ?? '';
  return translated ?? (typeof own === 'string' ? own : own(words));
}

/** `/faceswap photo filter|prompt [gender]`: required options, then optional ones. */
export function usageLine(command: Command, subcommand?: string): string {
  const action = actionIn(command, subcommand);
  if (action === undefined) return `/${command.name} ${Object.keys(command.subcommands ?? {}).join('|')}`;
  const name = subcommand === undefined ? `/${command.name}` : `/${command.name} ${subcommand}`;
  const options = Object.entries(action.options);
  const alternatives = options.flatMap(([, option]) => option.or ?? []);
  const parts = [
    ...options.filter(([, option]) => isAlwaysRequired(option)).map(([option]) => option),
    ...options.flatMap(([option, { or }]) => (or === undefined ? [] : [`${option}|${or}`])),
    ...options
      .filter(([option, { required, or }]) => !required && or === undefined && !alternatives.includes(option))
      .map(([option]) => `[${option}]`),
  ];
  return [name, ...parts].join(' ');
}
