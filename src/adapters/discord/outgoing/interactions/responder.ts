import {
  type APIInteraction,
  InteractionResponseType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../../base/defined.ts';
import { answerCard, type Card, webhookMessageRoute } from '../../api/card-ref.ts';
import { DiscordFault, isRefusal } from '../../api/fault.ts';
import { type Arrived, isInstalledByServer, readPlace } from '../../api/interaction.ts';
import type { Common, Send } from '../../api/requests.ts';
import { idOf, ignoreGone, isFileRefused, made } from '../messages/outcome.ts';
import { jobPurpose, post } from '../messages/send-message.ts';
import { editBody, newBody, type Payload } from '../render/render.ts';

/** Discord waits 3 seconds for the first answer. */
const DEADLINE_MS = 2_900;
const ATTEMPT_TIMEOUT_MS = 1_400;
const RESPOND_WITHIN_MS = 2_500;
/** A larger upload might miss the deadline of the first answer, which is then deferred. */
const MOST_DIRECT_BYTES = 256 * 1024;

const callbackAnswer = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) });

export const isEphemeral = (interaction: APIInteraction): boolean =>
  ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

const needsDeferral = ({ files }: Payload): boolean =>
  files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > MOST_DIRECT_BYTES);

/** For answers that need no message id: a lost one is ignored. */
export async function respond(
  withToken: Send,
  { id, token }: APIInteraction,
  type: InteractionResponseType,
  data: object,
): Promise<void> {
  await withToken('answer an interaction', 'POST', Routes.interactionCallback(id, token), {
    body: { type, data },
    timeoutMs: RESPOND_WITHIN_MS,
    totalTimeoutMs: RESPOND_WITHIN_MS,
  }).catch(() => undefined);
}

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

/**
 * Answers one interaction, with its token, in the way that is still possible; `undefined`: it was too late. `answeredElsewhere`:
 * another process was first, though Discord sent it once. `deferring`: before it is acknowledged, from when on an answer is owed.
 */
export function createResponder(
  { asBot, withToken, clock }: Pick<Common, 'asBot' | 'withToken' | 'clock'>,
  interaction: Arrived,
  answeredElsewhere: () => void,
  deferring: (as: 'thinking' | 'pressed') => Promise<void>,
) {
  const { application_id: app, token, id, arrivedAt, isRepeated } = interaction;
  const original = webhookMessageRoute(app, token);
  /**
   * `fresh`: within the deadline of the first answer. `thinking`: that message becomes the answer. `pressed`: the press was
   * acknowledged, and `@original` is the message with the button. `taken`: it was answered elsewhere, or it is too late.
   */
  let state: 'fresh' | 'thinking' | 'pressed' | 'taken' = 'fresh';
  let isOriginalPrivate = isEphemeral(interaction);

  /** The message that it made or changed. Without an id: the first answer, whose id Discord did not return. */
  const card = (message: string | undefined, ephemeral: boolean): Card =>
    answerCard(interaction, clock.now(), { message, ephemeral });

  const findOriginal = async (): Promise<string | undefined> => {
    const limits = { totalTimeoutMs: 5_000 };
    const answer = await withToken('look for an answer', 'GET', original, limits).catch(() => undefined);
    return made.safeParse(answer).data?.id;
  };

  /**
   * The first answer. When it is unknown whether it arrived, Discord is asked before it is sent once more. `taken`: it was
   * answered already, or it is too late.
   */
  const callback = async (
    type: InteractionResponseType,
    data?: object,
    files: Payload['files'] = [],
    isRetry = false,
  ): Promise<{ readonly message?: string } | 'taken'> => {
    const left = DEADLINE_MS - (clock.now() - arrivedAt);
    try {
      const answer = await withToken('answer an interaction', 'POST', Routes.interactionCallback(id, token), {
        query: new URLSearchParams({ with_response: 'true' }),
        body: { type, ...defined({ data }) },
        ...(files.length === 0 ? {} : { files }),
        timeoutMs: Math.max(500, Math.min(ATTEMPT_TIMEOUT_MS, left)),
        totalTimeoutMs: left,
      });
      return defined({ message: callbackAnswer.safeParse(answer).data?.interaction.response_message_id });
    } catch (error) {
      if (isRefusal(error, RESTJSONErrorCodes.UnknownInteraction)) return 'taken';
      if (isRefusal(error, RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged)) {
        // On a retry, our first attempt had arrived.
        if (isRetry) return {};
        if (!isRepeated) answeredElsewhere();
        return 'taken';
      }
      if (!(error instanceof DiscordFault) || error.kind !== 'unknown') throw error;
      const message = await findOriginal();
      if (message !== undefined) return { message };
      if (isRetry || clock.now() - arrivedAt >= DEADLINE_MS) throw error;
      return callback(type, data, files, true);
    }
  };

  const defer = async (as: 'thinking' | 'pressed', isPrivate = false): Promise<void> => {
    await deferring(as);
    const first =
      as === 'pressed'
        ? callback(InteractionResponseType.DeferredMessageUpdate)
        : callback(
            InteractionResponseType.DeferredChannelMessageWithSource,
            // It may say only who sees it.
            isPrivate ? { flags: MessageFlags.Ephemeral } : {},
          );
    const answered = await first.catch(acceptUnknown);
    if (as === 'thinking') isOriginalPrivate = isPrivate;
    state = answered === 'taken' ? 'taken' : as;
  };

  const answer = async (
    type: InteractionResponseType,
    payload: Payload,
    bodyOf: (payload: Payload) => object,
    ephemeral: boolean,
  ): Promise<Card | undefined> => {
    const answered = await withFallback(payload, (each) => callback(type, bodyOf(each), each.files));
    if (answered === 'taken') return undefined;
    return card(answered.message ?? (await findOriginal()), ephemeral);
  };

  const edit = async (payload: Payload): Promise<Card> => {
    const edited = await withFallback(payload, (each) =>
      withToken('edit an answer', 'PATCH', original, { body: editBody(each), files: each.files }),
    );
    return card(idOf(edited), isOriginalPrivate);
  };

  const removeOriginal = async (): Promise<void> => {
    await withToken('remove an answer', 'DELETE', original).catch(ignoreGone);
  };

  /** As the bot a public message can be sent exactly once (`enforce_nonce`). */
  const followUpAsBot = async (payload: Payload, purpose: string): Promise<Card | undefined> => {
    if (!isInstalledByServer(interaction)) return undefined;
    const answered = interaction.message?.id;
    const reference =
      answered === undefined
        ? {}
        : { message_reference: { message_id: answered, fail_if_not_exists: false } };
    const body = { ...payload.body, ...reference };
    try {
      const sent = await post(asBot, readPlace(interaction).channel, { ...payload, body }, purpose);
      // No interaction's token can edit it.
      return { ...card(idOf(sent), false), token: undefined };
    } catch (error) {
      // The bot may not write here, or may not read the message that it answers; the token needs neither permission.
      if (error instanceof DiscordFault && error.kind === 'refused') return undefined;
      throw error;
    }
  };

  /** `purpose`: tells several of them apart. */
  const followUp = (payload: Payload, isPrivate: boolean, purpose = `further ${id}`): Promise<Card> =>
    withFallback(payload, async (each) => {
      const posted = isPrivate ? undefined : await followUpAsBot(each, purpose);
      if (posted !== undefined) return posted;
      const sent = await withToken('send a further answer', 'POST', Routes.webhook(app, token), {
        query: new URLSearchParams({ wait: 'true' }),
        body: newBody(each, isPrivate),
        files: each.files,
        // A repeat could show it twice: acceptable for an ephemeral message only.
        repeatable: isPrivate,
      });
      return card(idOf(sent), isPrivate);
    });

  /** A new message. */
  const send = async (payload: Payload, isPrivate: boolean): Promise<Card | undefined> => {
    if (state === 'fresh' && needsDeferral(payload)) await defer('thinking', isPrivate);
    if (state === 'taken') return undefined;
    if (state === 'pressed') return followUp(payload, isPrivate);
    if (state === 'fresh') {
      const type = InteractionResponseType.ChannelMessageWithSource;
      return answer(type, payload, (each) => newBody(each, isPrivate), isPrivate);
    }
    if (!isPrivate || isOriginalPrivate) return edit(payload);
    await removeOriginal();
    return followUp(payload, true);
  };

  return {
    state: () => state,
    /** Shows "thinking…", or acknowledges a press. */
    defer,
    send,
    /** Edits the message whose button was pressed. */
    async update(payload: Payload): Promise<Card | undefined> {
      if (state === 'fresh' && needsDeferral(payload)) await defer('pressed');
      if (state === 'taken') return undefined;
      if (state !== 'fresh') return edit(payload);
      return answer(InteractionResponseType.UpdateMessage, payload, editBody, isOriginalPrivate);
    },
    /** A new message with another visibility; the message with the button is deleted. */
    async sendInstead(payload: Payload, isPrivate: boolean): Promise<Card | undefined> {
      if (state === 'thinking') return send(payload, isPrivate);
      if (state === 'fresh') await defer('pressed');
      if (state === 'taken') return undefined;
      const sent = await followUp(payload, isPrivate);
      // If this fails, its buttons answer that it is stale.
      await removeOriginal().catch(() => undefined);
      return sent;
    },
    /** The message of another job, after the answer. */
    further: (payload: Payload, isPrivate: boolean, job: string): Promise<Card> =>
      followUp(payload, isPrivate, jobPurpose(job)),
    async remove(): Promise<void> {
      if (state === 'fresh') await defer('pressed').catch(ignoreGone);
      if (state !== 'taken') await removeOriginal();
    },
    /** Only while it is `fresh`. */
    async form(form: object): Promise<void> {
      await callback(InteractionResponseType.Modal, form);
    },
  };
}

export type Responder = ReturnType<typeof createResponder>;
