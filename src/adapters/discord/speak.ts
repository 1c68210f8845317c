import { type APIInteraction, InteractionResponseType, MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { DiscordProblem, isProblem } from './problem.ts';
import type { Payload } from './render.ts';
import type { Requests } from './requests.ts';

/** A message that an interaction made or changed. */
export interface Spoken {
  readonly message: string;
  readonly ephemeral: boolean;
}

/** The ways of answering one interaction; `undefined`: it could not be answered any more. */
export interface Speaker {
  /** A new message. */
  say(payload: Payload, isPrivate: boolean): Promise<Spoken | undefined>;
  /** The message whose button was pressed shows this instead. */
  change(payload: Payload): Promise<Spoken | undefined>;
  remove(): Promise<void>;
  /** Opens a form, which Discord allows as a first answer only. */
  readonly form?: (form: object) => Promise<void>;
}

/** Discord waits 3 seconds for the first answer. */
const DEADLINE = 2_900;
const ONE_TRY = 1_400;
/** A first answer with more than this beside it might not be there in time: it is announced, then sent. */
const LIGHT = 256 * 1024;
const UNKNOWN_INTERACTION = 10062;
const ALREADY_ACKNOWLEDGED = 40060;

const madeMessage = z.object({ id: z.string() });
const callbackAnswer = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) });

export const isEphemeral = (interaction: APIInteraction): boolean =>
  ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** What one interaction's token can do. */
export const createLine = (requests: Requests, clock: Clock, interaction: APIInteraction) => {
  const { application_id: app, token, id } = interaction;
  const received = clock.now();
  const flags = (isPrivate: boolean): object => (isPrivate ? { flags: MessageFlags.Ephemeral } : {});
  const original = Routes.webhookMessage(app, token, '@original');

  const findOriginal = async (): Promise<string | undefined> => {
    const answer = await requests
      .withToken({
        doing: 'look for an answer',
        method: 'GET',
        route: original,
        repeatable: true,
        patienceMs: 5_000,
      })
      .catch(() => undefined);
    return madeMessage.safeParse(answer).data?.id;
  };

  /**
   * The first answer. It is never sent twice blindly: when its fate is not known, Discord is asked whether the
   * message is there, and only then it is tried once more. `taken`: somebody else, or the same event before, has
   * answered; or it is too late.
   */
  const callback = async (
    type: InteractionResponseType,
    data?: object,
    files?: Payload['files'],
    triedBefore = false,
  ): Promise<{ readonly message?: string } | 'taken'> => {
    const left = DEADLINE - (clock.now() - received);
    try {
      const answer = await requests.withToken({
        doing: 'answer an interaction',
        method: 'POST',
        route: Routes.interactionCallback(id, token),
        query: new URLSearchParams({ with_response: 'true' }),
        body: { type, ...(data === undefined ? {} : { data }) },
        ...(files === undefined || files.length === 0 ? {} : { files }),
        repeatable: false,
        withinMs: Math.max(500, Math.min(ONE_TRY, left)),
        patienceMs: left,
      });
      const message = callbackAnswer.safeParse(answer).data?.interaction.response_message_id;
      return message === undefined ? {} : { message };
    } catch (error) {
      if (isProblem(error, UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED)) return 'taken';
      if (!(error instanceof DiscordProblem) || error.kind !== 'unknown') throw error;
      const message = await findOriginal();
      if (message !== undefined) return { message };
      if (triedBefore || clock.now() - received >= DEADLINE) throw error;
      return callback(type, data, files, true);
    }
  };

  const edit = async (payload: Payload): Promise<string> => {
    const answer = await requests.withToken({
      doing: 'edit an answer',
      method: 'PATCH',
      route: original,
      body: payload.body,
      files: payload.files,
      repeatable: true,
    });
    return madeMessage.parse(answer).id;
  };

  const remove = async (): Promise<void> => {
    await requests.withToken({
      doing: 'remove an answer',
      method: 'DELETE',
      route: original,
      repeatable: true,
    });
  };

  const followUp = async (payload: Payload, isPrivate: boolean): Promise<Spoken> => {
    const answer = await requests.withToken({
      doing: 'send a further answer',
      method: 'POST',
      route: Routes.webhook(app, token),
      query: new URLSearchParams({ wait: 'true' }),
      body: { ...payload.body, ...flags(isPrivate) },
      files: payload.files,
      repeatable: false,
    });
    return { message: madeMessage.parse(answer).id, ephemeral: isPrivate };
  };

  return { callback, edit, remove, followUp, flags, source: isEphemeral(interaction) };
};

type Line = ReturnType<typeof createLine>;

const isHeavy = ({ files }: Payload): boolean =>
  files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > LIGHT);

/** Within the deadline: the answer itself is the message, the change or the form. */
export const firstSpeaker = (line: Line): Speaker => {
  const spoken = (made: Awaited<ReturnType<Line['callback']>>, ephemeral: boolean): Spoken | undefined =>
    made === 'taken' || made.message === undefined ? undefined : { message: made.message, ephemeral };

  return {
    async say(payload, isPrivate) {
      if (isHeavy(payload)) {
        const type = InteractionResponseType.DeferredChannelMessageWithSource;
        const made = await line.callback(type, line.flags(isPrivate));
        return made === 'taken' ? undefined : afterThinking(line, isPrivate).say(payload, isPrivate);
      }
      const data = { ...payload.body, ...line.flags(isPrivate) };
      const type = InteractionResponseType.ChannelMessageWithSource;
      return spoken(await line.callback(type, data, payload.files), isPrivate);
    },
    async change(payload) {
      if (isHeavy(payload)) {
        const made = await line.callback(InteractionResponseType.DeferredMessageUpdate);
        return made === 'taken' ? undefined : afterPress(line).change(payload);
      }
      const type = InteractionResponseType.UpdateMessage;
      return spoken(await line.callback(type, payload.body, payload.files), line.source);
    },
    async remove() {
      const made = await line.callback(InteractionResponseType.DeferredMessageUpdate);
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
    message: await line.edit(payload),
    ephemeral: isPrivate,
  });
  return {
    async say(payload, mustBePrivate) {
      if (!mustBePrivate || isPrivate) return become(payload);
      await line.remove();
      return line.followUp(payload, true);
    },
    change: become,
    remove: line.remove,
  };
};

/** After a press was acknowledged silently: the message with the button is still the "original". */
export const afterPress = (line: Line): Speaker => ({
  say: (payload, isPrivate) => line.followUp(payload, isPrivate),
  change: async (payload) => ({ message: await line.edit(payload), ephemeral: line.source }),
  remove: line.remove,
});
