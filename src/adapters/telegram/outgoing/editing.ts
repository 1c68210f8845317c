import type { InputMedia, Message } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import type { View } from '../../../command/view.ts';
import type { BotCalls } from '../api/api.ts';
import { isFault } from '../api/fault.ts';
import type { Card } from '../api/refs.ts';
import { blankPicture, pictureIn, type Upload, uploadOf } from './media.ts';
import { CAPTION_LIMIT, type Rendered, render, TEXT_LIMIT } from './render.ts';
import type { Sent } from './sending.ts';
import { type Attempt, isSheetFault, type Uploads } from './uploads.ts';

function inputMedia(upload: Upload, { shape, file }: Attempt, rendered: Rendered) {
  const common = { media: file, caption: rendered.text, caption_entities: rendered.entities };
  const spoiler = upload.spoiler ? { has_spoiler: true } : {};
  if (shape === 'photo') return { type: 'photo', ...common, ...spoiler } satisfies InputMedia;
  if (shape === 'video')
    return { type: 'video', ...common, ...spoiler, supports_streaming: true } satisfies InputMedia;
  return { type: 'document', ...common, disable_content_type_detection: true } satisfies InputMedia;
}

/** Edits a message once, without waiting or retrying. */
export function createEditor(call: BotCalls, post: Uploads) {
  const target = (card: Card, rendered: Rendered) => ({
    chat_id: card.chat,
    message_id: card.message,
    // An edit without a keyboard removes the old one.
    reply_markup: rendered.keyboard ?? { inline_keyboard: [] },
  });

  const editText = (card: Card, view: View): Promise<Message | true> => {
    const rendered = render(view, TEXT_LIMIT);
    return call('editMessageText', {
      ...target(card, rendered),
      text: rendered.text,
      entities: rendered.entities,
      link_preview_options: { is_disabled: true },
    });
  };

  const editCaption = (card: Card, view: View): Promise<Message | true> => {
    const rendered = render(view, CAPTION_LIMIT);
    return call('editMessageCaption', {
      ...target(card, rendered),
      caption: rendered.text,
      caption_entities: rendered.entities,
    });
  };

  const editMedia = (card: Card, view: View, upload: Upload): Promise<Message | true> => {
    const rendered = render(view, CAPTION_LIMIT);
    return post(view, upload, (attempt) => {
      const media = inputMedia(upload, attempt, rendered);
      const { timeoutMs } = attempt;
      return call('editMessageMedia', { ...target(card, rendered), media }, { timeoutMs });
    });
  };

  /** A message with media has a caption instead of a text; the stored reference may be outdated. */
  const editTextOrCaption = async (card: Card, view: View): Promise<Sent> => {
    try {
      await (card.media ? editCaption(card, view) : editText(card, view));
      return { card };
    } catch (error) {
      if (!isFault(error, 'refused') || !/there is no (text|caption)/i.test(error.message)) throw error;
      await (card.media ? editText(card, view) : editCaption(card, view));
      return { card: { ...card, media: !card.media } };
    }
  };

  const edit = async (card: Card, view: View, upload: Upload | undefined): Promise<Sent> => {
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
  const editTiles = async (card: Card, view: View): Promise<Sent> => {
    for (const upload of [uploadOf(view), card.media ? blankPicture : undefined])
      try {
        if (upload === undefined) continue;
        return await edit(card, view, upload);
      } catch (error) {
        if (!isSheetFault(error)) throw error;
      }
    return await edit(card, view, undefined);
  };

  return (card: Card, view: View): Promise<Sent> =>
    view.tiles === undefined ? edit(card, view, uploadOf(view)) : editTiles(card, view);
}
