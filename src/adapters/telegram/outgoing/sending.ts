import type { ForceReply, InlineKeyboardMarkup, Message, MessageEntity } from 'grammy/types';
import { defined } from '../../../base/defined.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import type { View } from '../../../command/view.ts';
import type { Calls } from '../api/api.ts';
import { isFault } from '../api/fault.ts';
import type { Card, Destination } from '../api/refs.ts';
import { fileOf, pictureIn, type Shape, shapeOf, type Upload, uploadOf } from './media.ts';
import { inert } from './neutralize.ts';
import { captionLimit, type Rendered, render, textLimit } from './render.ts';

export interface SendOptions {
  /** The message to reply to, if it still exists. */
  readonly replyTo?: number | undefined;
  readonly markup?: InlineKeyboardMarkup | ForceReply | undefined;
  /** Mentioned before the text. */
  readonly mention?: { readonly id: number; readonly name: string } | undefined;
}

export interface Sent {
  readonly card: Card;
  readonly result?: PhotoRef;
}

const uploadTimeoutMs = 120_000;

/** A selective `force_reply` reaches only the people mentioned. */
const withMention = (rendered: Rendered, mention: SendOptions['mention']): Rendered => {
  if (mention === undefined) return rendered;
  const lead = `${inert(mention.name) || '·'}: `;
  const entity: MessageEntity = {
    type: 'text_mention',
    offset: 0,
    length: lead.length - 2,
    user: { id: mention.id, is_bot: false, first_name: mention.name },
  };
  return {
    ...rendered,
    text: lead + rendered.text,
    entities: [entity, ...rendered.entities.map((each) => ({ ...each, offset: each.offset + lead.length }))],
  };
};

/** Sends a message once, without waiting or retrying. */
export const createSender = (call: Calls) => {
  const sendUpload = (base: object, chat: number, upload: Upload, shape: Shape, rendered: Rendered) =>
    call(
      'send media',
      (raw, signal): Promise<Message> => {
        const common = {
          ...base,
          chat_id: chat,
          caption: rendered.text,
          caption_entities: rendered.entities,
        };
        const spoiler = upload.spoiler ? { has_spoiler: true } : {};
        if (shape === 'photo') return raw.sendPhoto({ ...common, ...spoiler, photo: fileOf(upload) }, signal);
        if (shape === 'video')
          return raw.sendVideo(
            { ...common, ...spoiler, video: fileOf(upload), supports_streaming: true },
            signal,
          );
        return raw.sendDocument(
          { ...common, document: fileOf(upload), disable_content_type_detection: true },
          signal,
        );
      },
      { timeoutMs: uploadTimeoutMs },
    );

  return async (destination: Destination, view: View, options: SendOptions = {}): Promise<Sent> => {
    const upload = uploadOf(view);
    const lead = inert(options.mention?.name ?? '').length + 3;
    const limit = (upload ? captionLimit : textLimit) - lead;
    const rendered = withMention(render(view, limit), options.mention);
    const markup = options.markup ?? rendered.keyboard;
    const base = {
      ...defined({ message_thread_id: destination.thread, reply_markup: markup }),
      ...(options.replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: options.replyTo, allow_sending_without_reply: true } }),
    };
    const sent = await (async (): Promise<Message> => {
      if (upload === undefined)
        return await call('sendMessage', (raw, signal) =>
          raw.sendMessage(
            {
              ...base,
              chat_id: destination.chat,
              text: rendered.text,
              entities: rendered.entities,
              link_preview_options: { is_disabled: true },
            },
            signal,
          ),
        );
      const shape = shapeOf(upload);
      try {
        return await sendUpload(base, destination.chat, upload, shape, rendered);
      } catch (error) {
        // Not accepted as a photo or video: any file is accepted as a document.
        if (shape === 'document' || !isFault(error, 'refused')) throw error;
        return await sendUpload(base, destination.chat, upload, 'document', rendered);
      }
    })();
    const result = upload?.kind === 'image' ? pictureIn(sent) : undefined;
    return {
      card: {
        chat: sent.chat.id,
        message: sent.message_id,
        ...defined({ thread: destination.thread }),
        media: upload !== undefined,
      },
      ...defined({ result }),
    };
  };
};
