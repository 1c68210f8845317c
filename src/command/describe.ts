import type { Words } from '../words/words.ts';
import { actionIn, type Command } from './command.ts';

/** The entry of a command in the menu of a message, in a language. */
export function menuEntry(words: Words, { name, menu }: Command): string | undefined {
  return menu === undefined ? undefined : (words.descriptions[`${name}:menu`] ?? menu);
}

/**
 * Descriptions of commands, subcommands and options in a language, by path (`alias.create.name`). Names and choices
 * that can be typed are the same in every language; only their descriptions are translated.
 */
export function describe(words: Words, command: Command, subcommand?: string, option?: string): string {
  const path = [command.name, subcommand, option].filter((part) => part !== undefined).join('.');
  const action = actionIn(command, subcommand);
  const said = option === undefined ? (subcommand === undefined ? command : action) : action?.options[option];
  const own = said?.description ?? '';
  return words.descriptions[path] ?? (typeof own === 'string' ? own : own(words));
}
