import { type APIInteraction, type InteractionResponseType, MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import { ORIGINAL, withTokenRoute } from '../api/card-ref.ts';
import { DiscordProblem, isProblem } from '../api/fault.ts';
import { isMember, readPlace } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';
import { ignoreGone } from './outcome.ts';
import { createPosting } from './post-message.ts';
import type { Payload } from './render.ts';

/** A message that an interaction made or changed. */
export interface SentMessage {
  readonly message: string;
  readonly ephemeral: boolean;
  /** The bot wrote it by itself: no interaction's token reaches it. */
  readonly asBot?: true;
}

/** Discord waits 3 seconds for the first answer. */
const DEADLINE = 2_900;
const ONE_TRY = 1_400;
const UNKNOWN_INTERACTION = 10062;
const ALREADY_ACKNOWLEDGED = 40060;

const madeMessage = z.object({ id: z.string() });
const callbackAnswer = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) });

export const isEphemeral = (interaction: APIInteraction): boolean =>
  ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** What one interaction's token can do. */
export const createInteractionToken = (requests: Requests, clock: Clock, interaction: APIInteraction) => {
  const { application_id: app, token, id } = interaction;
  const { post } = createPosting(requests);
  const received = clock.now();
  const flags = (isPrivate: boolean): object => (isPrivate ? { flags: MessageFlags.Ephemeral } : {});
  const original = withTokenRoute(app, token, ORIGINAL);

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
        body: { type, ...defined({ data }) },
        ...(files === undefined || files.length === 0 ? {} : { files }),
        repeatable: false,
        withinMs: Math.max(500, Math.min(ONE_TRY, left)),
        patienceMs: left,
      });
      const message = callbackAnswer.safeParse(answer).data?.interaction.response_message_id;
      return message === undefined ? {} : { message };
    } catch (error) {
      if (isProblem(error, UNKNOWN_INTERACTION)) return 'taken';
      // Once we have tried before, it was our own first try that arrived after all.
      if (isProblem(error, ALREADY_ACKNOWLEDGED)) return triedBefore ? {} : 'taken';
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

  /** What has gone already is removed. */
  const remove = async (): Promise<void> => {
    await requests
      .withToken({ doing: 'remove an answer', method: 'DELETE', route: original, repeatable: true })
      .catch(ignoreGone);
  };

  /** Where everybody may see it and the bot may write, Discord makes sure that it is there once. */
  const furtherAsBot = async (payload: Payload): Promise<SentMessage | undefined> => {
    if (!isMember(interaction)) return undefined;
    const answered = interaction.message?.id;
    const reference =
      answered === undefined
        ? {}
        : { message_reference: { message_id: answered, fail_if_not_exists: false } };
    const body = { ...payload.body, ...reference };
    try {
      const made = await post(readPlace(interaction).channel, { ...payload, body }, `further ${id}`);
      return { message: madeMessage.parse(made).id, ephemeral: false, asBot: true };
    } catch (error) {
      // No right to write here, or none to read what it answers to (160002): the token needs neither.
      if (error instanceof DiscordProblem && error.kind === 'refused') return undefined;
      throw error;
    }
  };

  const followUp = async (payload: Payload, isPrivate: boolean): Promise<SentMessage> => {
    const posted = isPrivate ? undefined : await furtherAsBot(payload);
    if (posted !== undefined) return posted;
    const answer = await requests.withToken({
      doing: 'send a further answer',
      method: 'POST',
      route: Routes.webhook(app, token),
      query: new URLSearchParams({ wait: 'true' }),
      body: { ...payload.body, ...flags(isPrivate) },
      files: payload.files,
      // Here it could be there twice. For one pair of eyes that is better than not at all, for all it is not.
      repeatable: isPrivate,
    });
    return { message: madeMessage.parse(answer).id, ephemeral: isPrivate };
  };

  /** The answer is there, but its id was not given: it goes by this name as long as the token lives. */
  const answered = async (): Promise<string> => (await findOriginal()) ?? ORIGINAL;

  return { callback, answered, edit, remove, followUp, flags, source: isEphemeral(interaction) };
};

export type InteractionToken = ReturnType<typeof createInteractionToken>;
