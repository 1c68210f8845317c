import { defined } from '../../../base/defined.ts';
import type { Action, Command } from '../../../command/command.ts';
import { describe, usageLine } from '../../../command/describe.ts';
import { isAlwaysRequired, type Option } from '../../../command/option.ts';
import type { Words } from '../../../words/words.ts';

/** The values that an option accepts. */
interface Range {
  readonly choices?: readonly string[];
  readonly standard?: string;
  readonly min?: number;
  readonly max?: number;
  readonly album?: true;
}

const YES = 'yes';
const NO = 'no';
const yesOrNo = (value: boolean): string => (value ? YES : NO);

function rangeOf(option: Option): Range {
  if (option.kind === 'choice') return defined({ choices: option.choices, standard: option.default });
  if (option.kind === 'flag') {
    const standard = option.default === undefined ? undefined : yesOrNo(option.default);
    return defined({ choices: [YES, NO], standard });
  }
  if (option.kind === 'image') return defined({ album: option.album });
  if (option.kind === 'integer') return { min: option.min, max: option.max };
  return option.kind === 'text' ? { max: option.max } : {};
}

function offeredAction(command: Command, action: Action, words: Words, name?: string) {
  return {
    ...defined({ name }),
    description: describe(words, command, name),
    usage: usageLine(command, name),
    options: Object.entries(action.options).map(([option, declared]) => ({
      name: option,
      kind: declared.kind,
      description: describe(words, command, name, option),
      required: isAlwaysRequired(declared),
      ...defined({ or: declared.or }),
      ...rangeOf(declared),
    })),
  };
}

/** Describes commands for the page, which needs them for completion and forms. */
export function commandsForPage(commands: readonly Command[], words: Words) {
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
