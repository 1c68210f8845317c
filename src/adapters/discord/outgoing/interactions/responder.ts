import { InteractionResponseType, MessageFlags } from 'discord.js';
import { DiscordFault } from '../../api/fault.ts';
import { ignoreGone, isFileRefused } from '../messages/outcome.ts';
import { jobPurpose } from '../messages/send-message.ts';
import { editBody, newBody, type Payload } from '../render/render.ts';
import type { InteractionToken, SentMessage } from './interaction-token.ts';

/** A larger upload might miss the deadline of the first answer, which is then deferred. */
const MOST_DIRECT_BYTES = 256 * 1024;

const needsDeferral = ({ files }: Payload): boolean =>
  files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > MOST_DIRECT_BYTES);

/** Without the file where that is refused: the person still gets an answer. */
function withFallback<T>(payload: Payload, send: (payload: Payload) => Promise<T>): Promise<T> {
  return send(payload).catch((error: unknown) => {
    if (payload.withoutFile === undefined || !isFileRefused(error)) throw error;
    return send(payload.withoutFile);
  });
}

/** The callback may have arrived: the answer that follows shows whether it did. */
function acceptUnknown(error: unknown): object {
  if (error instanceof DiscordFault && error.kind === 'unknown') return {};
  throw error;
}

/** Answers one interaction in the way that is still possible; `undefined`: it was too late. */
export function createResponder(token: InteractionToken) {
  /**
   * `fresh`: within the deadline of the first answer. `thinking`: that message becomes the answer. `pressed`: the press was
   * acknowledged, and `@original` is the message with the button. `taken`: it was answered elsewhere, or it is too late.
   */
  let state: 'fresh' | 'thinking' | 'pressed' | 'taken' = 'fresh';
  let isOriginalPrivate = token.isSourceEphemeral;

  const defer = async (as: 'thinking' | 'pressed', isPrivate = false): Promise<void> => {
    const made = await (as === 'pressed'
      ? token.callback(InteractionResponseType.DeferredMessageUpdate)
      : token.callback(
          InteractionResponseType.DeferredChannelMessageWithSource,
          // It may say only who sees it.
          isPrivate ? { flags: MessageFlags.Ephemeral } : {},
        )
    ).catch(acceptUnknown);
    if (as === 'thinking') isOriginalPrivate = isPrivate;
    state = made === 'taken' ? 'taken' : as;
  };

  const callback = async (
    type: InteractionResponseType,
    payload: Payload,
    bodyOf: (payload: Payload) => object,
    ephemeral: boolean,
  ): Promise<SentMessage | undefined> => {
    const made = await withFallback(payload, (each) => token.callback(type, bodyOf(each), each.files));
    if (made === 'taken') return undefined;
    return { message: made.message ?? (await token.findOriginal()), ephemeral };
  };
  const edit = async (payload: Payload): Promise<SentMessage> => ({
    message: await withFallback(payload, token.edit),
    ephemeral: isOriginalPrivate,
  });
  const followUp = (payload: Payload, isPrivate: boolean, purpose?: string): Promise<SentMessage> =>
    withFallback(payload, (each) => token.followUp(each, isPrivate, purpose));

  /** A new message. */
  const send = async (payload: Payload, isPrivate: boolean): Promise<SentMessage | undefined> => {
    if (state === 'fresh' && needsDeferral(payload)) await defer('thinking', isPrivate);
    if (state === 'taken') return undefined;
    if (state === 'pressed') return followUp(payload, isPrivate);
    if (state === 'fresh') {
      const type = InteractionResponseType.ChannelMessageWithSource;
      return callback(type, payload, (each) => newBody(each, isPrivate), isPrivate);
    }
    if (!isPrivate || isOriginalPrivate) return edit(payload);
    await token.remove();
    return followUp(payload, true);
  };

  return {
    state: () => state,
    /** Shows "thinking…", or acknowledges a press. */
    defer,
    send,
    /** Edits the message whose button was pressed. */
    async update(payload: Payload): Promise<SentMessage | undefined> {
      if (state === 'fresh' && needsDeferral(payload)) await defer('pressed');
      if (state === 'taken') return undefined;
      if (state !== 'fresh') return edit(payload);
      return callback(InteractionResponseType.UpdateMessage, payload, editBody, isOriginalPrivate);
    },
    /** A new message with another visibility; the message with the button is deleted. */
    async sendInstead(payload: Payload, isPrivate: boolean): Promise<SentMessage | undefined> {
      if (state === 'thinking') return send(payload, isPrivate);
      if (state === 'fresh') await defer('pressed');
      if (state === 'taken') return undefined;
      const sent = await followUp(payload, isPrivate);
      // If this fails, its buttons answer that it is stale.
      await token.remove().catch(() => undefined);
      return sent;
    },
    /** The message of another job, after the answer. */
    further: (payload: Payload, isPrivate: boolean, job: string): Promise<SentMessage> =>
      followUp(payload, isPrivate, jobPurpose(job)),
    async remove(): Promise<void> {
      if (state === 'fresh') await defer('pressed').catch(ignoreGone);
      if (state !== 'taken') await token.remove();
    },
    /** Only while it is `fresh`. */
    async form(form: object): Promise<void> {
      await token.callback(InteractionResponseType.Modal, form);
    },
  };
}

export type Responder = ReturnType<typeof createResponder>;
