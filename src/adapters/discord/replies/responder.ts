import type { InteractionsAPI } from '@discordjs/core/http-only';
import {
  type APIInteraction,
  type APIModalInteractionResponseCallbackData,
  MessageFlags,
  RESTJSONErrorCodes,
} from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import { editedMessage, newMessage, type Payload } from '../components/message.ts';
import { idOf, ignoreGone, isFileRefused, made } from '../messages/outcome.ts';
import { jobPurpose, post } from '../messages/send-message.ts';
import { answerCard, type Card } from '../payloads/card-ref.ts';
import { type Arrived, isInstalledByServer, readPlace } from '../payloads/interaction.ts';
import type { DiscordContext } from '../rest/api.ts';
import { DiscordFault, isRefusal } from '../rest/fault.ts';

/** Discord waits 3 seconds for the first answer. */
const DEADLINE_MS = 2_900;
const ATTEMPT_TIMEOUT_MS = 1_400;
/** A larger upload might miss the deadline of the first answer, which is then deferred. */
const MOST_DIRECT_BYTES = 256 * 1024;

/** Discord then tells the id of the message. */
const WITH_RESPONSE = { with_response: true } as const;
const callbackAnswer = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) });

export const isEphemeral = (interaction: APIInteraction): boolean =>
  ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

const needsDeferral = ({ files }: Payload): boolean =>
  files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > MOST_DIRECT_BYTES);

/** For first answers that need no message id: a lost one is ignored. */
export const FIRST_ANSWER = { timeoutMs: 2_500, totalTimeoutMs: 2_500 };

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
  { api, clock }: Pick<DiscordContext, 'api' | 'clock'>,
  interaction: Arrived,
  answeredElsewhere: () => void,
  deferring: (as: 'thinking' | 'pressed') => Promise<void>,
) {
  const { application_id: app, token, id, arrivedAt, isRepeated } = interaction;
  /**
   * `fresh`: within the deadline of the first answer. `thinking`: that message becomes the answer. `pressed`: the press was
   * acknowledged, and `@original` is the message with the button. `taken`: it was answered elsewhere, or it is too late.
   */
  let state: 'fresh' | 'thinking' | 'pressed' | 'taken' = 'fresh';
  let isOriginalPrivate = isEphemeral(interaction);
  /** What says beside the pressed message, to its presser alone, that the answer takes longer. */
  let beside: string | undefined;

  /** The message that it made or changed. Without an id: the first answer, whose id Discord did not return. */
  const card = (message: string | undefined, ephemeral: boolean): Card =>
    answerCard(interaction, clock.now(), { message, ephemeral });

  const findOriginal = async (): Promise<string | undefined> => {
    const { interactions } = api.within({ totalTimeoutMs: 5_000 });
    const found = await interactions.getOriginalReply(app, token).catch(() => undefined);
    return made.safeParse(found).data?.id;
  };

  /**
   * The first answer. When it is unknown whether it arrived, Discord is asked before it is sent once more. `taken`: it was
   * answered already, or it is too late.
   */
  const callback = async (
    answerWith: (interactions: InteractionsAPI) => Promise<unknown>,
    isRetry = false,
  ): Promise<{ readonly message?: string } | 'taken'> => {
    const left = DEADLINE_MS - (clock.now() - arrivedAt);
    const timeoutMs = Math.max(500, Math.min(ATTEMPT_TIMEOUT_MS, left));
    try {
      const answer = await answerWith(api.within({ timeoutMs, totalTimeoutMs: left }).interactions);
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
      return callback(answerWith, true);
    }
  };

  const defer = async (as: 'thinking' | 'pressed', isPrivate = false): Promise<void> => {
    await deferring(as);
    // "Thinking…" may say only who sees it.
    const seenBy = isPrivate ? { flags: MessageFlags.Ephemeral } : {};
    const first = callback((interactions) =>
      as === 'pressed'
        ? interactions.deferMessageUpdate(id, token, WITH_RESPONSE)
        : interactions.defer(id, token, { ...seenBy, ...WITH_RESPONSE }),
    );
    const answered = await first.catch(acceptUnknown);
    if (as === 'thinking') isOriginalPrivate = isPrivate;
    state = answered === 'taken' ? 'taken' : as;
  };

  const answer = async (
    payload: Payload,
    ephemeral: boolean,
    answerWith: (interactions: InteractionsAPI, payload: Payload) => Promise<unknown>,
  ): Promise<Card | undefined> => {
    const answered = await withFallback(payload, (each) =>
      callback((interactions) => answerWith(interactions, each)),
    );
    if (answered === 'taken') return undefined;
    return card(answered.message ?? (await findOriginal()), ephemeral);
  };

  const edit = async (payload: Payload): Promise<Card> => {
    const edited = await withFallback(payload, (each) =>
      api.interactions.editReply(app, token, editedMessage(each)),
    );
    return card(idOf(edited), isOriginalPrivate);
  };

  const removeOriginal = async (): Promise<void> => {
    await api.interactions.deleteReply(app, token).catch(ignoreGone);
  };

  /** As the bot a public message can be sent exactly once (`enforce_nonce`). */
  const followUpAsBot = async (payload: Payload, purpose: string): Promise<Card | undefined> => {
    if (!isInstalledByServer(interaction)) return undefined;
    const answered = interaction.message?.id;
    const reference =
      answered === undefined
        ? {}
        : { message_reference: { message_id: answered, fail_if_not_exists: false } };
    const message = { ...newMessage(payload, false), ...reference };
    try {
      const sent = await post(api, readPlace(interaction).channel, message, purpose);
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
      // A repeat could show it twice: acceptable for an ephemeral message only.
      const { interactions } = api.within({ repeatable: isPrivate });
      const sent = await interactions.followUp(app, token, newMessage(each, isPrivate));
      return card(idOf(sent), isPrivate);
    });

  /** A new message: the first answer, or in place of "thinking…", or after a press. */
  const reply = async (payload: Payload, isPrivate: boolean): Promise<Card | undefined> => {
    if (state === 'fresh' && needsDeferral(payload)) await defer('thinking', isPrivate);
    if (state === 'taken') return undefined;
    if (state === 'pressed') return followUp(payload, isPrivate);
    if (state === 'fresh')
      return answer(payload, isPrivate, (interactions, each) =>
        interactions.reply(id, token, { ...newMessage(each, isPrivate), ...WITH_RESPONSE }),
      );
    if (!isPrivate || isOriginalPrivate) return edit(payload);
    await removeOriginal();
    return followUp(payload, true);
  };

  return {
    state: () => state,
    /** Shows "thinking…", or acknowledges a press. */
    defer,
    reply,
    /** Edits the message whose button was pressed. */
    async update(payload: Payload): Promise<Card | undefined> {
      if (state === 'fresh' && needsDeferral(payload)) await defer('pressed');
      if (state === 'taken') return undefined;
      if (state !== 'fresh') return edit(payload);
      return answer(payload, isOriginalPrivate, (interactions, each) =>
        interactions.updateMessage(id, token, { ...editedMessage(each), ...WITH_RESPONSE }),
      );
    },
    /** A new message with another visibility; the message with the button is deleted. */
    async replyInstead(payload: Payload, isPrivate: boolean): Promise<Card | undefined> {
      if (state === 'thinking') return reply(payload, isPrivate);
      if (state === 'fresh') await defer('pressed');
      if (state === 'taken') return undefined;
      const sent = await followUp(payload, isPrivate);
      // If this fails, its buttons answer that it is stale.
      await removeOriginal().catch(() => undefined);
      return sent;
    },
    /** The message of another job, after the answer. */
    followUp: (payload: Payload, isPrivate: boolean, job: string): Promise<Card> =>
      followUp(payload, isPrivate, jobPurpose(job)),
    async deleteReply(): Promise<void> {
      if (state === 'fresh') await defer('pressed').catch(ignoreGone);
      if (state !== 'taken') await removeOriginal();
    },
    /**
     * Says that the answer takes longer, after it was deferred: where the answer will be, or, where that is a new message, to the
     * presser alone until `over`.
     */
    async meanwhile(payload: Payload, isInPlace: boolean): Promise<void> {
      if (state === 'thinking' || (state === 'pressed' && isInPlace)) await edit(payload);
      else if (state === 'pressed') beside = (await followUp(payload, true)).message;
    },
    /** The answer is there. */
    async over(): Promise<void> {
      if (beside !== undefined) await api.interactions.deleteReply(app, token, beside).catch(() => undefined);
    },
    /** Only while it is `fresh`. */
    async showModal(modal: APIModalInteractionResponseCallbackData): Promise<void> {
      await callback((interactions) => interactions.createModal(id, token, { ...modal, ...WITH_RESPONSE }));
    },
  };
}

export type Responder = ReturnType<typeof createResponder>;
