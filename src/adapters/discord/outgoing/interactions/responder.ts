import { InteractionResponseType } from 'discord.js';
import { ignoreGone, isFileRefused } from '../messages/outcome.ts';
import { jobPurpose } from '../messages/send-message.ts';
import { editBody, newBody, type Payload } from '../render/render.ts';
import type { InteractionToken, SentMessage } from './interaction-token.ts';

/** How one interaction can still be answered; `undefined`: it was too late. */
export interface Responder {
  /** A new message. */
  send(payload: Payload, isPrivate: boolean): Promise<SentMessage | undefined>;
  /** Edits the message whose button was pressed. */
  update(payload: Payload): Promise<SentMessage | undefined>;
  /** The message of another job, after the answer. */
  further(payload: Payload, isPrivate: boolean, job: string): Promise<SentMessage>;
  remove(): Promise<void>;
  /** A new message with another visibility; the message with the button is deleted. */
  readonly sendInstead?: (payload: Payload, isPrivate: boolean) => Promise<SentMessage | undefined>;
  /** Discord allows a form only as the first answer. */
  readonly form?: (form: object) => Promise<void>;
}

/** A larger upload might miss the deadline of the first answer, which is then deferred. */
const MOST_DIRECT_BYTES = 256 * 1024;

function needsDeferral({ files }: Payload): boolean {
  return files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > MOST_DIRECT_BYTES);
}

/** Without the file where that is refused: the person still gets an answer. */
function withFallback<T>(payload: Payload, send: (payload: Payload) => Promise<T>): Promise<T> {
  return send(payload).catch((error: unknown) => {
    if (payload.withoutFile === undefined || !isFileRefused(error)) throw error;
    return send(payload.withoutFile);
  });
}

function further(token: InteractionToken): Responder['further'] {
  return (payload, isPrivate, job) =>
    withFallback(payload, (each) => token.followUp(each, isPrivate, jobPurpose(job)));
}

/** Within the deadline of the first answer. */
export function firstResponder(token: InteractionToken): Responder {
  const sentMessage = async (
    made: Awaited<ReturnType<InteractionToken['callback']>>,
    ephemeral: boolean,
  ): Promise<SentMessage | undefined> =>
    made === 'taken' ? undefined : { message: made.message ?? (await token.findOriginal()), ephemeral };

  return {
    async send(payload, isPrivate) {
      if (needsDeferral(payload)) {
        const made = await token.defer(isPrivate);
        return made === 'taken' ? undefined : afterThinking(token, isPrivate).send(payload, isPrivate);
      }
      const type = InteractionResponseType.ChannelMessageWithSource;
      const made = await withFallback(payload, (each) =>
        token.callback(type, newBody(each, isPrivate), each.files),
      );
      return sentMessage(made, isPrivate);
    },
    async update(payload) {
      if (needsDeferral(payload)) {
        const made = await token.callback(InteractionResponseType.DeferredMessageUpdate);
        return made === 'taken' ? undefined : afterPress(token).update(payload);
      }
      const type = InteractionResponseType.UpdateMessage;
      const made = await withFallback(payload, (each) => token.callback(type, editBody(each), each.files));
      return sentMessage(made, token.isSourceEphemeral);
    },
    further: further(token),
    async sendInstead(payload, isPrivate) {
      const made = await token.callback(InteractionResponseType.DeferredMessageUpdate);
      return made === 'taken' ? undefined : sendAndRemove(token, payload, isPrivate);
    },
    async remove() {
      const made = await token.callback(InteractionResponseType.DeferredMessageUpdate).catch(ignoreGone);
      if (made !== 'taken') await token.remove();
    },
    async form(form) {
      await token.callback(InteractionResponseType.Modal, form);
    },
  };
}

/** After "thinking…": that message becomes the answer, unless it is public and the answer is private. */
export function afterThinking(token: InteractionToken, isPrivate: boolean): Responder {
  const editOriginal = async (payload: Payload): Promise<SentMessage> => ({
    message: await withFallback(payload, token.edit),
    ephemeral: isPrivate,
  });
  return {
    async send(payload, mustBePrivate) {
      if (!mustBePrivate || isPrivate) return editOriginal(payload);
      await token.remove();
      return withFallback(payload, (each) => token.followUp(each, true));
    },
    update: editOriginal,
    further: further(token),
    remove: token.remove,
  };
}

/** After a press was acknowledged: `@original` is the message with the button. */
export function afterPress(token: InteractionToken): Responder {
  return {
    send: (payload, isPrivate) => withFallback(payload, (each) => token.followUp(each, isPrivate)),
    update: async (payload) => ({
      message: await withFallback(payload, token.edit),
      ephemeral: token.isSourceEphemeral,
    }),
    further: further(token),
    remove: token.remove,
    sendInstead: (payload, isPrivate) => sendAndRemove(token, payload, isPrivate),
  };
}

/** Sends first: if deleting the question fails, its buttons answer that it is stale. */
async function sendAndRemove(
  token: InteractionToken,
  payload: Payload,
  isPrivate: boolean,
): Promise<SentMessage> {
  const sent = await withFallback(payload, (each) => token.followUp(each, isPrivate));
  await token.remove().catch(() => undefined);
  return sent;
}
