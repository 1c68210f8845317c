import type { ForceReply, InlineKeyboardMarkup, Message } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { type View, withoutMedia } from '../../../command/view.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import {
  type Card,
  type Destination,
  type Ephemeral,
  type EphemeralCard,
  isEphemeral,
  type MessageCard,
} from '../api/refs.ts';
import {
  type Attempt,
  blankPicture,
  createMediaUploads,
  isSheetFault,
  pictureIn,
  type Upload,
  uploadOf,
} from './media.ts';
import { CAPTION_LIMIT, EPHEMERAL_LIMIT, type Mention, type Rendered, render, TEXT_LIMIT } from './render.ts';

/** The destination of a new message that everybody in the chat sees. */
export interface OpenDestination extends Destination {
  /** The message to reply to, if it still exists. */
  readonly replyTo?: number | undefined;
}

/** The destination of an ephemeral message, which one person of a group sees. */
export interface EphemeralDestination extends Destination {
  readonly alone: Ephemeral;
}

type Target = OpenDestination & Partial<EphemeralDestination>;

/** The parts of a new message that its view does not have. */
export interface SendOptions {
  readonly markup?: InlineKeyboardMarkup | ForceReply | undefined;
  readonly mention?: Mention | undefined;
}

/** A message that was sent or edited. */
export interface Sent<C extends Card = MessageCard> {
  readonly card: C;
  readonly result?: PhotoRef;
}

interface NewMessage extends Sent {
  /** The id of an ephemeral message; undefined if the server did not make the message ephemeral. */
  readonly ephemeral?: number;
}

/** The parameters of an ephemeral message. An answer to a press needs no reply, because the press names its message. */
function ephemerally({ receiver, trigger = {} }: Ephemeral) {
  const { press, message } = trigger;
  const parameters = { receiver_user_id: receiver, ...defined({ callback_query_id: press }) };
  return {
    ephemeral_message_parameters: parameters,
    ...(message === undefined
      ? {}
      : { reply_parameters: { ephemeral_message_id: message, allow_sending_without_reply: true } }),
  };
}

const textOptions = ({ entities }: Rendered) => ({ entities, link_preview_options: { is_disabled: true } });

const captionOf = ({ text, entities }: Rendered) => ({ caption: text, caption_entities: entities });

/** The parameters that Telegram takes with a file of this shape. */
function flagsOf({ spoiler }: Upload, { shape }: Attempt) {
  if (shape === 'document') return { disable_content_type_detection: true };
  const streaming = shape === 'video' ? { supports_streaming: true } : {};
  return spoiler ? { has_spoiler: true, ...streaming } : streaming;
}

/** The arguments by which an ephemeral message is addressed: chat, receiver and id. */
const addressOf = ({ chat, receiver, ephemeral }: EphemeralCard) => [chat, receiver, ephemeral] as const;

/** The keyboard of an edit; an empty one removes the old one. */
const markupOf = ({ keyboard }: Rendered) => ({ reply_markup: keyboard ?? { inline_keyboard: [] } });

/** Makes the calls that send, edit or remove a message once, without waiting or retrying. */
export function createMessageCalls({ api, clock }: Pick<TelegramDependencies, 'api' | 'clock'>) {
  const post = createMediaUploads(clock);

  const sendUpload = (
    chat: number,
    upload: Upload,
    attempt: Attempt,
    options: ReturnType<typeof captionOf>,
  ): Promise<Message> => {
    const { shape, file, signal } = attempt;
    const withFlags = { ...options, ...flagsOf(upload, attempt) };
    if (shape === 'photo') return api.sendPhoto(chat, file, withFlags, signal);
    if (shape === 'video') return api.sendVideo(chat, file, withFlags, signal);
    return api.sendDocument(chat, file, withFlags, signal);
  };

  const sendView = async (to: Target, view: View, { markup, mention }: SendOptions): Promise<NewMessage> => {
    const upload = uploadOf(view);
    const textLimit = to.alone === undefined ? TEXT_LIMIT : EPHEMERAL_LIMIT;
    const rendered = render(view, upload === undefined ? textLimit : CAPTION_LIMIT, mention);
    const options = {
      ...defined({ message_thread_id: to.thread, reply_markup: markup ?? rendered.keyboard }),
      ...(to.replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: to.replyTo, allow_sending_without_reply: true } }),
      ...(to.alone && ephemerally(to.alone)),
    };
    const sent = await (upload === undefined
      ? api.sendMessage(to.chat, rendered.text, { ...options, ...textOptions(rendered) })
      : post(view, upload, (attempt) =>
          sendUpload(to.chat, upload, attempt, { ...options, ...captionOf(rendered) }),
        ));
    const result = upload?.kind === 'image' ? pictureIn(sent) : undefined;
    const media = upload !== undefined;
    return {
      card: { chat: sent.chat.id, message: sent.message_id, ...defined({ thread: to.thread }), media },
      ...defined({ result, ephemeral: sent.ephemeral_message_id }),
    };
  };

  const editText = (card: Card, view: View): Promise<Message | true> => {
    const rendered = render(withoutMedia(view), isEphemeral(card) ? EPHEMERAL_LIMIT : TEXT_LIMIT);
    const options = { ...textOptions(rendered), ...markupOf(rendered) };
    return isEphemeral(card)
      ? api.editEphemeralMessageText(...addressOf(card), rendered.text, options)
      : api.editMessageText(card.chat, card.message, rendered.text, options);
  };

  const editCaption = (card: Card, view: View): Promise<Message | true> => {
    const rendered = render(view, CAPTION_LIMIT);
    const { caption, ...options } = { ...captionOf(rendered), ...markupOf(rendered) };
    return isEphemeral(card)
      ? api.editEphemeralMessageCaption(...addressOf(card), caption, options)
      : api.editMessageCaption(card.chat, card.message, { caption, ...options });
  };

  const editMedia = (card: Card, view: View, upload: Upload): Promise<Message | true> => {
    const rendered = render(view, CAPTION_LIMIT);
    return post(view, upload, (attempt) => {
      const { shape, file, signal } = attempt;
      const media = { type: shape, media: file, ...captionOf(rendered), ...flagsOf(upload, attempt) };
      return isEphemeral(card)
        ? api.editEphemeralMessageMedia(...addressOf(card), media, markupOf(rendered), signal)
        : api.editMessageMedia(card.chat, card.message, media, markupOf(rendered), signal);
    });
  };

  /**
   * Edits the text, or the caption of a message with media. If Telegram says that the stored reference is outdated, the
   * other one is edited.
   */
  const editTextOrCaption = async <C extends Card>(card: C, view: View): Promise<Sent<C>> => {
    try {
      await (card.media ? editCaption : editText)(card, view);
      return { card };
    } catch (error) {
      if (!isFault(error, 'refused') || !/there is no (text|caption)/i.test(error.message)) throw error;
      await (card.media ? editText : editCaption)(card, view);
      return { card: { ...card, media: !card.media } };
    }
  };

  const edit = async <C extends Card>(card: C, view: View, upload: Upload | undefined): Promise<Sent<C>> => {
    try {
      if (upload === undefined) return await editTextOrCaption(card, view);
      const edited = await editMedia(card, view, upload);
      const result = upload.kind === 'image' ? pictureIn(edited) : undefined;
      return { card: { ...card, media: true }, ...defined({ result }) };
    } catch (error) {
      if (isFault(error, 'unchanged')) return { card };
      throw error;
    }
  };

  /**
   * Edits a page of tiles. If its sheet is refused, a blank picture replaces the former sheet, whose numbers are not those
   * of the buttons.
   */
  const editTiles = async <C extends Card>(card: C, view: View): Promise<Sent<C>> => {
    for (const upload of [uploadOf(view), card.media ? blankPicture : undefined])
      try {
        if (upload === undefined) continue;
        return await edit(card, view, upload);
      } catch (error) {
        if (!isSheetFault(error)) throw error;
      }
    return await edit(card, view, undefined);
  };

  return {
    async send(to: Target, view: View, options: SendOptions = {}): Promise<NewMessage> {
      try {
        return await sendView(to, view, options);
      } catch (error) {
        const { media, ...bare } = view;
        if (view.tiles === undefined || media === undefined || !isSheetFault(error)) throw error;
        return await sendView(to, bare, options);
      }
    },
    edit: <C extends Card>(card: C, view: View): Promise<Sent<C>> =>
      view.tiles === undefined ? edit(card, view, uploadOf(view)) : editTiles(card, view),
    remove: (card: Card): Promise<true> =>
      isEphemeral(card)
        ? api.deleteEphemeralMessage(...addressOf(card))
        : api.deleteMessage(card.chat, card.message),
  };
}
