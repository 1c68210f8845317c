import type { Words } from '../words/words.ts';
import { actionIn, type Command, type JobMenu } from './command.ts';
import { descriptionIn, isAlwaysRequired } from './option.ts';

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

/**
 * Describes a command, a subcommand or an option in a language. Names and choices that can be typed are the same in every
 * language; only their descriptions are translated.
 */
export function describe(
  words: Pick<Words, 'language'>,
  command: Command,
  subcommand?: string,
  option?: string,
): string {
  const action = actionIn(command, subcommand);
  const said = option === undefined ? (subcommand === undefined ? command : action) : action?.options[option];
  return descriptionIn(said?.description ?? '', words);
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
