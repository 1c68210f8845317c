import type { Words } from '../../words/words.ts';
import { actionIn, type Command } from '../command.ts';
import type { View } from '../view.ts';

/** `/faceswap photo filter|prompt [gender]`: required options, then optional ones. */
export function usageLine(command: Command, subcommand?: string): string {
  const action = actionIn(command, subcommand);
  if (action === undefined) return `/${command.name} ${Object.keys(command.subcommands ?? {}).join('|')}`;
  const name = subcommand === undefined ? `/${command.name}` : `/${command.name} ${subcommand}`;
  const options = Object.entries(action.options);
  const alternatives = options.flatMap(([, option]) => option.or ?? []);
  const parts = [
    ...options.filter(([, option]) => option.required).map(([option]) => option),
    ...options.flatMap(([option, { or }]) => (or === undefined ? [] : [`${option}|${or}`])),
    ...options
      .filter(([option, { required, or }]) => !required && or === undefined && !alternatives.includes(option))
      .map(([option]) => `[${option}]`),
  ];
  return [name, ...parts].join(' ');
}

function exampleOf(command: Command, subcommand?: string): string | undefined {
  return (
    command.examples.find(
      (line) => subcommand === undefined || line.startsWith(`/${command.name} ${subcommand}`),
    ) ?? command.examples[0]
  );
}

/** The error, and the usage of the command. */
export function errorView(message: string, words: Words, command?: Command, subcommand?: string): View {
  const example = command === undefined ? undefined : exampleOf(command, subcommand);
  return {
    tone: 'failed',
    lines: [
      message,
      ...(command === undefined
        ? []
        : [[`${words.error.rightForm} `, { code: usageLine(command, subcommand) }]]),
      ...(example === undefined ? [] : [[`${words.error.example} `, { code: example }]]),
    ],
  };
}
