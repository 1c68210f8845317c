import { ADULTS, isMinor, MINORS } from '../kinds/choices.ts';
import type { Command } from './command.ts';
import type { Option } from './option.ts';

const forAdults = (option: Option): Option =>
  option.kind === 'choice' && option.choices.some(isMinor)
    ? { ...option, choices: ADULTS, minors: MINORS }
    : option;

/** The same commands where boys and girls are not accepted: no option offers them, and one that is given all the same is refused. */
export function withoutMinors(commands: readonly Command[]): readonly Command[] {
  return commands.map(({ action, subcommands, ...command }) => ({
    ...command,
    ...(action !== undefined && { action: action.withOptions(forAdults) }),
    ...(subcommands !== undefined && {
      subcommands: Object.fromEntries(
        Object.entries(subcommands).map(([name, each]) => [name, each.withOptions(forAdults)]),
      ),
    }),
  }));
}
