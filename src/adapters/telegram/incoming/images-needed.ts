import type { Command } from '../../../command/command.ts';

/** How many pictures a command can use; undefined when it is none of ours. */
export type ImagesNeeded = (command: string) => number | undefined;

/** Of the declared commands. */
export function imagesNeededBy(commands: readonly Command[]): ImagesNeeded {
  return (name) => {
    if (name === 'start') return 0;
    const command = commands.find((each) => each.name === name);
    if (command === undefined) return undefined;
    const actions = [
      ...(command.action ? [command.action] : []),
      ...Object.values(command.subcommands ?? {}),
    ];
    const images = actions.map(
      (action) => Object.values(action.options).filter((option) => option.kind === 'image').length,
    );
    return Math.max(0, ...images);
  };
}
