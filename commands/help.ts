import { defined } from '../src/base/defined.ts';
import {
  type Command,
  type CommandContext,
  type DeskContext,
  defineCommand,
} from '../src/command/command.ts';
import { describe, usageLine } from '../src/command/describe.ts';
import { pager, sheetText } from '../src/command/desk/questions/paging.ts';
import { UserError } from '../src/command/errors.ts';
import { type Option, type Options, takesAlbums } from '../src/command/option.ts';
import { infoReply, type Reply } from '../src/command/reply.ts';
import { filterKey } from '../src/command/request.ts';
import { firstAndNewest, inOrder } from '../src/command/search/preferred.ts';
import { shorten } from '../src/command/shorten.ts';
import { nearestCommands } from '../src/command/text/grammar.ts';
import type { Line, View } from '../src/command/view.ts';
import type { Words } from '../src/words/words.ts';
import { useTiles } from './buttons/use.ts';
import { translations } from './texts/help.ts';

function detailsOf(option: Option, words: Words): string {
  const { help } = words;
  const parts = [option.required ? help.required : help.optional];
  if (option.kind === 'choice') parts.push(help.choices(option.choices));
  if (option.kind === 'integer') parts.push(`${option.min}–${option.max}`);
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

/** The price of a command that makes something. */
function priceOf(
  { ports, words }: Pick<DeskContext, 'ports' | 'words'>,
  command: Command,
): string | undefined {
  const found = ports.price(command.name);
  if (found === undefined) return undefined;
  const { least, most } = found;
  return least === most ? words.credits(most) : `${least}–${words.credits(most)}`;
}

function about(command: Command, call: DeskContext): Reply {
  const { words } = call;
  const price = priceOf(call, command);
  return infoReply({
    title: [{ command: command.name }],
    lines: [
      describe(words, command),
      ...(price === undefined ? [] : [words.help.price(price)]),
      ...(command.checksFaces && call.ports.faceCheck.isOn ? [words.faceCheck.help] : []),
      ...(command.action === undefined
        ? Object.entries(command.subcommands ?? {}).flatMap(([name, action]) => [
            [{ code: usageLine(command, name) }, ` ${describe(words, command, name)}`],
            ...optionLines(command, action.options, words, name),
          ])
        : [
            ...(takesAlbums(command.action) ? [words.help.album] : []),
            [{ code: usageLine(command) }],
            ...optionLines(command, command.action.options, words),
          ]),
      [{ bold: words.help.examples }],
      ...command.examples.map((line) => [{ code: line }]),
    ],
  });
}

function explained(command: Command, call: DeskContext): Line {
  const price = priceOf(call, command);
  const text = describe(call.words, command);
  return [{ command: command.name }, price === undefined ? ` ${text}` : ` ${text} (${price})`];
}

const personalNames = (commands: readonly Command[]): string =>
  commands.flatMap(({ name, personal }) => (personal ? [`/${name}`] : [])).join(', ');

function overview(call: DeskContext): Omit<View, 'tone'> {
  const { commands, words } = call;
  const { everyone = [], moderator = [] } = Object.groupBy(commands, ({ access }) => access);
  return {
    title: words.help.title,
    lines: [
      words.help.intro,
      words.help.album,
      words.help.file,
      ...everyone.map((command) => explained(command, call)),
      [{ bold: words.help.moderators }],
      ...moderator.map((command) => explained(command, call)),
      ...(call.place.direct ? [] : [words.help.personal(personalNames(commands))]),
      words.help.more,
    ],
  };
}

const TRIES: ReadonlySet<string> = new Set(['faceswap', 'animate', 'filters']);

const named = (title: string, commands: readonly Command[]): Line => [
  `${title} ·`,
  ...commands.flatMap(({ name }) => [' ', { command: name }]),
];

/** Filters to press and three things to try; undefined where no filter has a picture. */
async function firstScreen(call: CommandContext): Promise<Omit<View, 'tone'> | undefined> {
  const { commands, words } = call;
  const { catalog } = call.ports;
  const found = catalog.known('face').filter(({ preview }) => preview !== undefined);
  if (found.length === 0) return undefined;
  const { items } = inOrder(
    found,
    ({ reference }) => filterKey('face', reference),
    await catalog.order(call.seenBy === 'caller'),
  );
  const draft = await call.keep();
  const tiles = useTiles(
    firstAndNewest(items, ({ reference }) => reference),
    'face',
    draft,
  );
  const media = await catalog.sheet(
    tiles,
    sheetText(words.filters.title(words.filters.catalogs.face), tiles),
  );
  const others = commands.filter(({ name }) => !TRIES.has(name));
  const { everyone = [], moderator = [] } = Object.groupBy(others, ({ access }) => access);
  return {
    title: words.help.title,
    lines: [
      words.help.press,
      ...commands.filter(({ name }) => TRIES.has(name)).map((command) => explained(command, call)),
      words.help.album,
      words.help.file,
      named(words.help.others, everyone),
      named(words.help.moderators, moderator),
      words.help.more,
    ],
    tiles,
    ...defined({ media }),
    buttons: [[{ action: `page:${draft}:1`, label: words.help.all }]],
  };
}

export default defineCommand({
  name: 'help',
  description: 'Show all commands, or explain one',
  translations,
  personal: true,
  passesPhotosOn: true,
  openToBlocked: true,
  openToUnapproved: true,
  examples: ['/help', '/help faceswap'],
  options: { command: { kind: 'command', description: 'The command to explain' } },
  async run(call) {
    const { args, commands, words } = call;
    if (args.command === undefined) {
      // Where no owner has approved the community, nothing is fetched from the service.
      if (!(await call.ports.approvals.isOpen())) return infoReply(overview(call));
      if (call.page === 0) return infoReply((await firstScreen(call)) ?? overview(call));
      return infoReply({ ...overview(call), buttons: [pager(await call.keep(), 1, 2)] });
    }
    const name = args.command.replace(/^\//, '').toLowerCase();
    const command = commands.find((each) => each.name === name);
    if (command === undefined)
      throw new UserError(words.error.unknownCommand(shorten(name, 32), nearestCommands(name, commands)));
    return about(command, call);
  },
});
