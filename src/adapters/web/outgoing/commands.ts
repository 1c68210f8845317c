import { defined } from '../../../base/defined.ts';
import type { Action, Command } from '../../../command/command.ts';
import { describe, usageLine } from '../../../command/describe.ts';
import { isAlwaysRequired, type Option } from '../../../command/option.ts';
import type { Words } from '../../../words/words.ts';

/** Commands as the page needs them, for completion and forms. */
export interface OfferedOption {
  readonly name: string;
  readonly kind: Option['kind'];
  readonly description: string;
  readonly required: boolean;
  /** Another option that can be given instead. */
  readonly or?: string;
  readonly choices?: readonly string[];
  readonly standard?: string;
  readonly min?: number;
  readonly max?: number;
}

export interface OfferedAction {
  /** The subcommand, if any. */
  readonly name?: string;
  readonly description: string;
  readonly usage: string;
  readonly options: readonly OfferedOption[];
}

export interface OfferedCommand {
  readonly name: string;
  readonly description: string;
  readonly moderators: boolean;
  readonly actions: readonly OfferedAction[];
}

const YES_OR_NO = ['yes', 'no'];

function rangeOf(option: Option): Pick<OfferedOption, 'choices' | 'standard' | 'min' | 'max'> {
  if (option.kind === 'choice') return defined({ choices: option.choices, standard: option.default });
  if (option.kind === 'flag') {
    const standard = option.default === undefined ? undefined : YES_OR_NO[option.default ? 0 : 1];
    return defined({ choices: YES_OR_NO, standard });
  }
  if (option.kind === 'integer') return { min: option.min, max: option.max };
  return option.kind === 'text' ? { max: option.max } : {};
}

function offeredOption(name: string, option: Option, description: string): OfferedOption {
  return {
    name,
    kind: option.kind,
    description,
    required: isAlwaysRequired(option),
    ...defined({ or: option.or }),
    ...rangeOf(option),
  };
}

function offeredAction(command: Command, action: Action, words: Words, name?: string): OfferedAction {
  return {
    ...defined({ name }),
    description: describe(words, command, name),
    usage: usageLine(command, name),
    options: Object.entries(action.options).map(([option, declared]) =>
      offeredOption(option, declared, describe(words, command, name, option)),
    ),
  };
}

export function offer(commands: readonly Command[], words: Words): readonly OfferedCommand[] {
  return commands.map((command) => ({
    name: command.name,
    description: describe(words, command),
    moderators: command.access === 'moderator',
    actions:
      command.action === undefined
        ? Object.entries(command.subcommands ?? {}).map(([name, action]) =>
            offeredAction(command, action, words, name),
          )
        : [offeredAction(command, command.action, words)],
  }));
}
