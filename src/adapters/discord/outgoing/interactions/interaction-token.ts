import { type APIInteraction, InteractionResponseType, MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../../base/clock.ts';
import { defined } from '../../../../base/defined.ts';
import { webhookMessageRoute } from '../../api/card-ref.ts';
import { DiscordFault, isRefusal } from '../../api/fault.ts';
import { isInstalledByServer, readPlace } from '../../api/interaction.ts';
import type { Requests } from '../../api/requests.ts';
import { idOf, ignoreGone, made } from '../messages/outcome.ts';
import { post } from '../messages/send-message.ts';
import { editBody, newBody, type Payload } from '../render/render.ts';

/** A message that an interaction made or changed. */
export interface SentMessage {
  /** Undefined: the first answer, whose id Discord did not return. */
  readonly message: string | undefined;
  readonly ephemeral: boolean;
  /** Sent as the bot: no interaction's token can edit it. */
  readonly asBot?: true;
}

/** Discord waits 3 seconds for the first answer. */
const DEADLINE_MS = 2_900;
const ATTEMPT_TIMEOUT_MS = 1_400;
const RESPOND_WITHIN_MS = 2_500;
const UNKNOWN_INTERACTION = 10062;
const ALREADY_ACKNOWLEDGED = 40060;

const callbackAnswer = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) });

export const isEphemeral = (interaction: APIInteraction): boolean =>
  ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** For answers that need no message id: a lost one is ignored. */
export async function respond(
  requests: Requests,
  { id, token }: APIInteraction,
  type: InteractionResponseType,
  data: object,
): Promise<void> {
  await requests
    .withToken({
      doing: 'answer an interaction',
      method: 'POST',
      route: Routes.interactionCallback(id, token),
      body: { type, data },
      timeoutMs: RESPOND_WITHIN_MS,
      totalTimeoutMs: RESPOND_WITHIN_MS,
    })
    .catch(() => undefined);
}

/** With these the answer itself is still owed. */
const DEFERRED: readonly InteractionResponseType[] = [
  InteractionResponseType.DeferredChannelMessageWithSource,
  InteractionResponseType.DeferredMessageUpdate,
];

/** The requests that one interaction's token allows. `answered`: another process has answered it. */
export function createInteractionToken(
  requests: Requests,
  clock: Clock,
  interaction: APIInteraction,
  answered: () => void,
  deferring: (type: InteractionResponseType) => Promise<void>,
) {
  const { application_id: app, token, id } = interaction;
  const received = clock.now();
  const original = webhookMessageRoute(app, token);

  const findOriginal = async (): Promise<string | undefined> => {
    const answer = await requests
      .withToken({ doing: 'look for an answer', method: 'GET', route: original, totalTimeoutMs: 5_000 })
      .catch(() => undefined);
    return made.safeParse(answer).data?.id;
  };

  /**
   * The first answer. When it is unknown whether it arrived, Discord is asked before it is sent once more. `taken`: it was
   * answered already, or it is too late.
   */
  const callback = async (
    type: InteractionResponseType,
    data?: object,
    files?: Payload['files'],
    isRetry = false,
  ): Promise<{ readonly message?: string } | 'taken'> => {
    if (DEFERRED.includes(type) && !isRetry) await deferring(type);
    const left = DEADLINE_MS - (clock.now() - received);
    try {
      const answer = await requests.withToken({
        doing: 'answer an interaction',
        method: 'POST',
        route: Routes.interactionCallback(id, token),
        query: new URLSearchParams({ with_response: 'true' }),
        body: { type, ...defined({ data }) },
        ...(files === undefined || files.length === 0 ? {} : { files }),
        timeoutMs: Math.max(500, Math.min(ATTEMPT_TIMEOUT_MS, left)),
        totalTimeoutMs: left,
      });
      const message = callbackAnswer.safeParse(answer).data?.interaction.response_message_id;
      return message === undefined ? {} : { message };
    } catch (error) {
      if (isRefusal(error, UNKNOWN_INTERACTION)) return 'taken';
      // On a retry, our first attempt had arrived.
      if (isRefusal(error, ALREADY_ACKNOWLEDGED) && isRetry) return {};
      if (isRefusal(error, ALREADY_ACKNOWLEDGED)) {
        answered();
        return 'taken';
      }
      if (!(error instanceof DiscordFault) || error.kind !== 'unknown') throw error;
      const message = await findOriginal();
      if (message !== undefined) return { message };
      if (isRetry || clock.now() - received >= DEADLINE_MS) throw error;
      return callback(type, data, files, true);
    }
  };

  const edit = async (payload: Payload): Promise<string> => {
    const answer = await requests.withToken({
      doing: 'edit an answer',
      method: 'PATCH',
      route: original,
      body: editBody(payload),
      files: payload.files,
    });
    return idOf(answer);
  };

  const remove = async (): Promise<void> => {
    await requests
      .withToken({ doing: 'remove an answer', method: 'DELETE', route: original })
      .catch(ignoreGone);
  };

  /** As the bot a public message can be sent exactly once (`enforce_nonce`). */
  const followUpAsBot = async (payload: Payload, purpose: string): Promise<SentMessage | undefined> => {
    if (!isInstalledByServer(interaction)) return undefined;
    const answered = interaction.message?.id;
    const reference =
      answered === undefined
        ? {}
        : { message_reference: { message_id: answered, fail_if_not_exists: false } };
    const body = { ...payload.body, ...reference };
    try {
      const sent = await post(requests, readPlace(interaction).channel, { ...payload, body }, purpose);
      return { message: idOf(sent), ephemeral: false, asBot: true };
    } catch (error) {
      // The bot may not write here or read the message it answers (160002); the token needs neither permission.
      if (error instanceof DiscordFault && error.kind === 'refused') return undefined;
      throw error;
    }
  };

  /** `purpose`: tells several of them apart. */
  const followUp = async (
    payload: Payload,
    isPrivate: boolean,
    purpose = `further ${id}`,
  ): Promise<SentMessage> => {
    const posted = isPrivate ? undefined : await followUpAsBot(payload, purpose);
    if (posted !== undefined) return posted;
    const answer = await requests.withToken({
      doing: 'send a further answer',
      method: 'POST',
      route: Routes.webhook(app, token),
      query: new URLSearchParams({ wait: 'true' }),
      body: newBody(payload, isPrivate),
      files: payload.files,
      // A repeat could show it twice: acceptable for an ephemeral message only.
      repeatable: isPrivate,
    });
    return { message: idOf(answer), ephemeral: isPrivate };
  };

  return {
    callback,
    findOriginal,
    edit,
    remove,
    followUp,
    isSourceEphemeral: isEphemeral(interaction),
  };
}

export type InteractionToken = ReturnType<typeof createInteractionToken>;
