import { InteractionResponseType } from 'discord.js';
import { isProblem } from '../api/fault.ts';
import type { InteractionToken, SentMessage } from './interaction-token.ts';
import { fileRefused, ignoreGone } from './outcome.ts';
import type { Payload } from './render.ts';

/** The ways of answering one interaction; `undefined`: it could not be answered any more. */
export interface Responder {
  /** A new message. */
  say(payload: Payload, isPrivate: boolean): Promise<SentMessage | undefined>;
  /** The message whose button was pressed shows this instead. */
  change(payload: Payload): Promise<SentMessage | undefined>;
  remove(): Promise<void>;
  /** A new message for other eyes than those that see the message with the button, which goes: it only asked something. */
  readonly instead?: (payload: Payload, isPrivate: boolean) => Promise<SentMessage | undefined>;
  /** Opens a form, which Discord allows as a first answer only. */
  readonly form?: (form: object) => Promise<void>;
}

/** A first answer with more than this beside it might not be there in time: it is announced, then sent. */
const LIGHT = 256 * 1024;

const isHeavy = ({ files }: Payload): boolean =>
  files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > LIGHT);

/** With its file, or without where that is refused: somebody waits for an answer. */
const orWithout = <T>(payload: Payload, send: (payload: Payload) => Promise<T>): Promise<T> =>
  send(payload).catch((error: unknown) => {
    if (payload.without === undefined || !isProblem(error, ...fileRefused)) throw error;
    return send(payload.without);
  });

/** Within the deadline: the answer itself is the message, the change or the form. */
export const firstResponder = (token: InteractionToken): Responder => {
  const sent = async (
    made: Awaited<ReturnType<InteractionToken['callback']>>,
    ephemeral: boolean,
  ): Promise<SentMessage | undefined> =>
    made === 'taken' ? undefined : { message: made.message ?? (await token.answered()), ephemeral };

  return {
    async say(payload, isPrivate) {
      if (isHeavy(payload)) {
        const type = InteractionResponseType.DeferredChannelMessageWithSource;
        const made = await token.callback(type, token.flags(isPrivate));
        return made === 'taken' ? undefined : afterThinking(token, isPrivate).say(payload, isPrivate);
      }
      const type = InteractionResponseType.ChannelMessageWithSource;
      const made = await orWithout(payload, ({ body, files }) =>
        token.callback(type, { ...body, ...token.flags(isPrivate) }, files),
      );
      return sent(made, isPrivate);
    },
    async change(payload) {
      if (isHeavy(payload)) {
        const made = await token.callback(InteractionResponseType.DeferredMessageUpdate);
        return made === 'taken' ? undefined : afterPress(token).change(payload);
      }
      const type = InteractionResponseType.UpdateMessage;
      return sent(await token.callback(type, payload.body, payload.files), token.source);
    },
    async instead(payload, isPrivate) {
      const made = await token.callback(InteractionResponseType.DeferredMessageUpdate);
      return made === 'taken' ? undefined : insteadOf(token, payload, isPrivate);
    },
    async remove() {
      const made = await token.callback(InteractionResponseType.DeferredMessageUpdate).catch(ignoreGone);
      if (made !== 'taken') await token.remove();
    },
    async form(form) {
      await token.callback(InteractionResponseType.Modal, form);
    },
  };
};

/** After "thinking…": that message becomes the answer, unless it is public and the answer must not be. */
export const afterThinking = (token: InteractionToken, isPrivate: boolean): Responder => {
  const become = async (payload: Payload): Promise<SentMessage> => ({
    message: await orWithout(payload, token.edit),
    ephemeral: isPrivate,
  });
  return {
    async say(payload, mustBePrivate) {
      if (!mustBePrivate || isPrivate) return become(payload);
      await token.remove();
      return orWithout(payload, (each) => token.followUp(each, true));
    },
    change: become,
    remove: token.remove,
  };
};

/** After a press was acknowledged silently: the message with the button is still the "original". */
export const afterPress = (token: InteractionToken): Responder => ({
  say: (payload, isPrivate) => orWithout(payload, (each) => token.followUp(each, isPrivate)),
  change: async (payload) => ({ message: await token.edit(payload), ephemeral: token.source }),
  remove: token.remove,
  instead: (payload, isPrivate) => insteadOf(token, payload, isPrivate),
});

/** What follows comes first: should the question stay after all, its buttons say that it is over. */
const insteadOf = async (
  token: InteractionToken,
  payload: Payload,
  isPrivate: boolean,
): Promise<SentMessage> => {
  const said = await orWithout(payload, (each) => token.followUp(each, isPrivate));
  await token.remove().catch(() => undefined);
  return said;
};
