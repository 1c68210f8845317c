import type { Message, User, UserFromGetMe } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import type { Command } from '../../../command/command.ts';
import { photoFromLink } from '../../../command/link.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { headOf } from '../../../command/text/grammar.ts';
import { withoutTrailing } from '../../../command/text/tokens.ts';
import { type Ephemeral, photosIn } from '../api/refs.ts';

/** The bot's own account, to recognise commands for other bots and replies to them. */
type Me = Pick<UserFromGetMe, 'id' | 'username'>;

/** The content of a message or album that is for the bot. */
export interface MessageContent {
  readonly text: string;
  readonly photos: readonly PhotoRef[];
  /** Whether a needed picture is too large for a bot to download. */
  readonly tooLarge: boolean;
  /** Whether the message has a video, a GIF or another file, and nothing that the bot can use. */
  readonly otherKind: boolean;
  /** The message whose text or caption counts. */
  readonly source: Message & { from?: User };
  /** Set if the message is ephemeral, and so is its answer. */
  readonly ephemeral?: Ephemeral;
}

/** How long after a command or a press Telegram allows an ephemeral answer. */
export const EPHEMERAL_MS = 15_000;

/** The id by which a message can be replied to; undefined for an ephemeral one, whose id is 0. */
export const replyableId = ({
  message_id: id,
  ephemeral_message_id: ephemeral,
}: Message): number | undefined => (ephemeral === undefined ? id : undefined);

function ephemeralIn({ ephemeral_message_id: message, date, from }: Message): Ephemeral | undefined {
  if (message === undefined || from === undefined) return undefined;
  return { receiver: from.id, trigger: { message }, until: date * 1000 + EPHEMERAL_MS };
}

/** A command at the beginning of a text. */
export interface TypedCommand {
  readonly name: string;
  /** The whole line, without the bot's name after the command. */
  readonly line: string;
  readonly addressed: boolean;
}

/** Reads the command that a text begins with; `other` if it is for another bot. */
export function typedCommand(text: string, me: Me): TypedCommand | 'other' | undefined {
  const head = headOf(text.trim());
  if (head === undefined) return undefined;
  const { name, bot, rest } = head;
  if (bot !== undefined && bot.toLowerCase() !== me.username.toLowerCase()) return 'other';
  return { name, line: `/${name}${rest}`, addressed: bot !== undefined };
}

const textOf = (message: Message): string => message.text ?? message.caption ?? '';

/** Matches the data of buttons under a sheet of filters or faces. */
const SHEET_BUTTON = /^(pick|use|look):/;

/** Whether the message is a sheet of the bot, whose picture must not be taken for a person's photo. */
function isSheet({ from, reply_markup: keyboard }: Message, me: Me): boolean {
  const buttons = from?.id === me.id ? (keyboard?.inline_keyboard.flat() ?? []) : [];
  return buttons.some((each) => 'callback_data' in each && SHEET_BUTTON.test(each.callback_data));
}

/** Collects the photos of the messages; if they are too few, the photos of the message replied to are put before them. */
function gather(messages: readonly Message[], wanted: number, me: Me): ReturnType<typeof photosIn> {
  const own = messages.map((message) => photosIn(message));
  const all = { photos: own.flatMap((each) => each.photos), tooLarge: own.some((each) => each.tooLarge) };
  if (all.photos.length >= Math.max(wanted, 1)) return all;
  const answered = messages.find((message) => message.reply_to_message ?? message.external_reply);
  if (answered?.reply_to_message && isSheet(answered.reply_to_message, me)) return all;
  const more = photosIn(answered?.reply_to_message ?? answered?.external_reply ?? {});
  const link = answered && all.photos.length === 0 ? linkAnswered(answered) : undefined;
  if (link !== undefined && more.photos.length === 0 && !more.tooLarge) return { ...all, photos: [link] };
  return { photos: [...more.photos, ...all.photos], tooLarge: all.tooLarge || more.tooLarge };
}

const WEB = /https:\/\/\S+/i;

/**
 * Reads the first URL in the message replied to, if the command itself contains none. A channel's post does not count,
 * because every message in its comments is a reply to it.
 */
function linkAnswered(message: Message): PhotoRef | undefined {
  const { reply_to_message: answered } = message;
  if (answered === undefined || answered.is_automatic_forward || WEB.test(textOf(message))) return undefined;
  const hidden = (answered.entities ?? answered.caption_entities ?? []).find(
    (each) => each.type === 'text_link',
  );
  const [address] = WEB.exec(textOf(answered)) ?? [hidden?.url];
  return address === undefined ? undefined : photoFromLink(withoutTrailing(address, ').,;:!?]'));
}

/** Reads one message, or all messages of an album; undefined if they are not for the bot. */
export function readMessages(
  messages: readonly (Message & { from?: User })[],
  me: Me,
  imagesNeeded: ImagesNeeded,
  surelyToUs = false,
): MessageContent | undefined {
  const [first] = messages;
  if (first?.from === undefined || first.chat.type === 'channel') return undefined;
  // Posts that Telegram copies from a linked channel into its group are not for the bot.
  if (first.is_automatic_forward || (first.from.is_bot === true && first.sender_chat === undefined))
    return undefined;
  // Each picture of an album can have a caption, of which the one with a command counts.
  const said = messages.filter((message) => textOf(message) !== '');
  const spoken = said.find((message) => typedCommand(textOf(message), me)) ?? said[0] ?? first;
  const typed = typedCommand(textOf(spoken), me);
  if (typed === 'other') return undefined;
  const direct = first.chat.type === 'private';
  const ephemeral = ephemeralIn(spoken);
  const toUs =
    surelyToUs ||
    ephemeral !== undefined ||
    messages.some((message) => message.reply_to_message?.from?.id === me.id);
  if (typed === undefined) {
    if (!direct && !toUs) return undefined;
    if (first.via_bot?.id === me.id) return undefined;
  } else if (!direct && !toUs && imagesNeeded(typed.name) === undefined && !typed.addressed) return undefined;
  const wanted = typed === undefined ? undefined : (imagesNeeded(typed.name) ?? 0);
  const gathered = gather(wanted === undefined ? messages.map(alone) : messages, wanted ?? 0, me);
  const { photos } = gathered;
  // A picture that is too large does not matter if the command needs no more.
  const tooLarge = gathered.tooLarge && photos.length < (wanted ?? Number.POSITIVE_INFINITY);
  // An unknown command keeps the bot's name, and is answered as unknown.
  const ours = typed !== undefined && imagesNeeded(typed.name) !== undefined;
  const text = ours ? typed.line : textOf(spoken).trim();
  const empty = text === '' && photos.length === 0 && !tooLarge;
  // Files of another kind are answered in private chats only, because in a group they may not be meant for the bot.
  const otherKind = empty && direct && messages.some(isOtherKind);
  if (empty && !otherKind) return undefined;
  return {
    text,
    photos,
    tooLarge,
    otherKind,
    source: spoken,
    ...defined({ ephemeral }),
  };
}

const isOtherKind = ({ video, animation, video_note, document }: Message): boolean =>
  [video, animation, video_note, document].some((each) => each !== undefined);

/** Removes the message replied to, whose pictures are used only for a command. */
function alone(message: Message): Message {
  const { reply_to_message: _answered, external_reply: _elsewhere, ...rest } = message;
  return rest;
}

/** How many pictures a command can use in one job; undefined if the bot has no such command. */
export type ImagesNeeded = (command: string) => number | undefined;

/** Counts the image options in the declaration of a command. */
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
