import { actionIn, type Command } from '../../command.ts';
import { isAlwaysRequired } from '../../option.ts';

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
