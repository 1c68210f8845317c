import { InteractionResponseType } from 'discord.js';
import { isProblem } from '../api/problem.ts';
import type { Line, Spoken } from './interaction-token.ts';
import { fileRefused, ignoreGone } from './outcome.ts';
import type { Payload } from './render.ts';

/** The ways of answering one interaction; `undefined`: it could not be answered any more. */
export interface Speaker {
  /** A new message. */
  say(payload: Payload, isPrivate: boolean): Promise<Spoken | undefined>;
  /** The message whose button was pressed shows this instead. */
  change(payload: Payload): Promise<Spoken | undefined>;
  remove(): Promise<void>;
  /** A new message for other eyes than those that see the message with the button, which goes: it only asked something. */
  readonly instead?: (payload: Payload, isPrivate: boolean) => Promise<Spoken | undefined>;
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
export const firstSpeaker = (line: Line): Speaker => {
  const spoken = async (
    made: Awaited<ReturnType<Line['callback']>>,
    ephemeral: boolean,
  ): Promise<Spoken | undefined> =>
    made === 'taken' ? undefined : { message: made.message ?? (await line.answered()), ephemeral };

  return {
    async say(payload, isPrivate) {
      if (isHeavy(payload)) {
        const type = InteractionResponseType.DeferredChannelMessageWithSource;
        const made = await line.callback(type, line.flags(isPrivate));
        return made === 'taken' ? undefined : afterThinking(line, isPrivate).say(payload, isPrivate);
      }
      const type = InteractionResponseType.ChannelMessageWithSource;
      const made = await orWithout(payload, ({ body, files }) =>
        line.callback(type, { ...body, ...line.flags(isPrivate) }, files),
      );
      return spoken(made, isPrivate);
    },
    async change(payload) {
      if (isHeavy(payload)) {
        const made = await line.callback(InteractionResponseType.DeferredMessageUpdate);
        return made === 'taken' ? undefined : afterPress(line).change(payload);
      }
      const type = InteractionResponseType.UpdateMessage;
      return spoken(await line.callback(type, payload.body, payload.files), line.source);
    },
    async instead(payload, isPrivate) {
      const made = await line.callback(InteractionResponseType.DeferredMessageUpdate);
      return made === 'taken' ? undefined : insteadOf(line, payload, isPrivate);
    },
    async remove() {
      const made = await line.callback(InteractionResponseType.DeferredMessageUpdate).catch(ignoreGone);
      if (made !== 'taken') await line.remove();
    },
    async form(form) {
      await line.callback(InteractionResponseType.Modal, form);
    },
  };
};

/** After "thinking…": that message becomes the answer, unless it is public and the answer must not be. */
export const afterThinking = (line: Line, isPrivate: boolean): Speaker => {
  const become = async (payload: Payload): Promise<Spoken> => ({
    message: await orWithout(payload, line.edit),
    ephemeral: isPrivate,
  });
  return {
    async say(payload, mustBePrivate) {
      if (!mustBePrivate || isPrivate) return become(payload);
      await line.remove();
      return orWithout(payload, (each) => line.followUp(each, true));
    },
    change: become,
    remove: line.remove,
  };
};

/** After a press was acknowledged silently: the message with the button is still the "original". */
export const afterPress = (line: Line): Speaker => ({
  say: (payload, isPrivate) => orWithout(payload, (each) => line.followUp(each, isPrivate)),
  change: async (payload) => ({ message: await line.edit(payload), ephemeral: line.source }),
  remove: line.remove,
  instead: (payload, isPrivate) => insteadOf(line, payload, isPrivate),
});

/** What follows comes first: should the question stay after all, its buttons say that it is over. */
const insteadOf = async (line: Line, payload: Payload, isPrivate: boolean): Promise<Spoken> => {
  const said = await orWithout(payload, (each) => line.followUp(each, isPrivate));
  await line.remove().catch(() => undefined);
  return said;
};
