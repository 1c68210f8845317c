import type { InputMedia, Message } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import type { View } from '../../../command/view.ts';
import type { BotCalls } from '../api/api.ts';
import { isFault } from '../api/fault.ts';
import { type Card, type EphemeralCard, isEphemeral } from '../api/refs.ts';
import {
  type Attempt,
  blankPicture,
  isSheetFault,
  pictureIn,
  type Upload,
  type Uploads,
  uploadOf,
} from './media.ts';
import { CAPTION_LIMIT, EPHEMERAL_LIMIT, type Rendered, render, TEXT_LIMIT } from './render.ts';
import type { Sent } from './sending.ts';

function inputMedia(upload: Upload, { shape, file }: Attempt, rendered: Rendered) {
  const common = { media: file, caption: rendered.text, caption_entities: rendered.entities };
  const spoiler = upload.spoiler ? { has_spoiler: true } : {};
  if (shape === 'photo') return { type: 'photo', ...common, ...spoiler } satisfies InputMedia;
  if (shape === 'video')
    return { type: 'video', ...common, ...spoiler, supports_streaming: true } satisfies InputMedia;
  return { type: 'document', ...common, disable_content_type_detection: true } satisfies InputMedia;
}

export function addressOf({ chat, receiver, ephemeral }: EphemeralCard) {
  return { chat_id: chat, receiver_user_id: receiver, ephemeral_message_id: ephemeral };
}

/** Edits a message once, without waiting or retrying. */
export function createEditor(call: BotCalls, post: Uploads) {
  // An edit without a keyboard removes the old one.
  const keyboardIn = ({ keyboard }: Rendered) => ({ reply_markup: keyboard ?? { inline_keyboard: [] } });

  const editText = (card: Card, view: View): Promise<Message | true> => {
    const rendered = render(view, isEphemeral(card) ? EPHEMERAL_LIMIT : TEXT_LIMIT);
    const { text, entities } = rendered;
    const content = { ...keyboardIn(rendered), text, entities, link_preview_options: { is_disabled: true } };
    return isEphemeral(card)
      ? call('editEphemeralMessageText', { ...addressOf(card), ...content })
      : call('editMessageText', { chat_id: card.chat, message_id: card.message, ...content });
  };

  const editCaption = (card: Card, view: View): Promise<Message | true> => {
    const rendered = render(view, CAPTION_LIMIT);
    const { text: caption, entities: caption_entities } = rendered;
    const content = { ...keyboardIn(rendered), caption, caption_entities };
    return isEphemeral(card)
      ? call('editEphemeralMessageCaption', { ...addressOf(card), ...content })
      : call('editMessageCaption', { chat_id: card.chat, message_id: card.message, ...content });
  };

  const editMedia = (card: Card, view: View, upload: Upload): Promise<Message | true> => {
    const rendered = render(view, CAPTION_LIMIT);
    return post(view, upload, (attempt) => {
      const content = { ...keyboardIn(rendered), media: inputMedia(upload, attempt, rendered) };
      const { timeoutMs } = attempt;
      return isEphemeral(card)
        ? call('editEphemeralMessageMedia', { ...addressOf(card), ...content }, { timeoutMs })
        : call(
            'editMessageMedia',
            { chat_id: card.chat, message_id: card.message, ...content },
            { timeoutMs },
          );
    });
  };

  /** A message with media has a caption instead of a text; the stored reference may be outdated. */
  const editTextOrCaption = async <C extends Card>(card: C, view: View): Promise<Sent<C>> => {
    try {
      await (card.media ? editCaption(card, view) : editText(card, view));
      return { card };
    } catch (error) {
      if (!isFault(error, 'refused') || !/there is no (text|caption)/i.test(error.message)) throw error;
      await (card.media ? editText(card, view) : editCaption(card, view));
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

  /** Without a sheet, the sheet of another page must not stay: its numbers are not those of the buttons. */
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

  return <C extends Card>(card: C, view: View): Promise<Sent<C>> =>
    view.tiles === undefined ? edit(card, view, uploadOf(view)) : editTiles(card, view);
}
