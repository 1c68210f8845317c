import { type Command, type DeskContext, defineCommand } from '../src/command/command.ts';
import { describe } from '../src/command/describe.ts';
import { usageLine } from '../src/command/desk/usage-line.ts';
import { UserError } from '../src/command/errors.ts';
import type { Option, Options } from '../src/command/option.ts';
import { infoReply, type Reply } from '../src/command/reply.ts';
import { shorten } from '../src/command/shorten.ts';
import { nearestCommands } from '../src/command/text/grammar.ts';
import type { Line } from '../src/command/view.ts';
import type { Words } from '../src/words/words.ts';

function detailsOf(option: Option, words: Words): string {
  const { help } = words;
  const parts = [option.required ? help.required : help.optional];
  if (option.kind === 'choice') parts.push(help.choices(option.choices));
  if (option.kind === 'integer') parts.push(help.range(option.min, option.max));
  if (option.kind === 'choice' && option.default !== undefined) parts.push(help.standard(option.default));
  if (option.kind === 'flag')
    parts.push(help.choices(['yes', 'no']), help.standard(option.default ? 'yes' : 'no'));
  return parts.join(' · ');
}

function optionLines(command: Command, options: Options, words: Words, subcommand?: string): readonly Line[] {
  return Object.entries(options).map(([name, option]) => [
    { code: name },
    ` ${describe(words, command, subcommand, name)} (${detailsOf(option, words)})`,
  ]);
}

function about(command: Command, words: Words): Reply {
  return infoReply({
    title: [{ command: command.name }],
    lines: [
      describe(words, command),
      ...(command.action === undefined
        ? Object.entries(command.subcommands ?? {}).flatMap(([name, action]) => [
            [{ code: usageLine(command, name) }, ` ${describe(words, command, name)}`],
            ...optionLines(command, action.options, words, name),
          ])
        : [[{ code: usageLine(command) }], ...optionLines(command, command.action.options, words)]),
      [{ bold: words.help.examples }],
      ...command.examples.map((line) => [{ code: line }]),
    ],
  });
}

function overview({ commands, words }: DeskContext): Reply {
  const line = (command: Command): Line => [{ command: command.name }, ` ${describe(words, command)}`];
  const forModerators = commands.filter((command) => command.access === 'moderator');
  return infoReply({
    title: words.help.title,
    lines: [
      words.help.intro,
      ...commands.filter((command) => command.access === 'everyone').map(line),
      [{ bold: words.help.moderators }],
      ...forModerators.map(line),
      words.help.more,
    ],
  });
}

export default defineCommand({
  name: 'help',
  description: 'Show all commands, or explain one',
  openToBlocked: true,
  examples: ['/help', '/help faceswap'],
  options: { command: { kind: 'command', description: 'The command to explain' } },
  async run(call) {
    const { args, commands, words } = call;
    if (args.command === undefined) return overview(call);
    const name = args.command.replace(/^\//, '').toLowerCase();
    const command = commands.find((each) => each.name === name);
    if (command === undefined)
      throw new UserError(words.error.unknownCommand(shorten(name, 32), nearestCommands(name, commands)));
    return about(command, words);
  },
});
