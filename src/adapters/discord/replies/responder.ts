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
import { createdShape, idOf, ignoreGone, isFileRefused } from '../messages/outcome.ts';
import { jobPurpose, postMessage } from '../messages/send-message.ts';
import { answerCard, type Card } from '../payloads/card-ref.ts';
import { type Arrived, isInstalledByServer, readPlace } from '../payloads/interaction.ts';
import type { DiscordContext } from '../rest/api.ts';
import { DiscordFault, isRefusedWith } from '../rest/fault.ts';

/** Discord waits 3 seconds for the first answer. */
const DEADLINE_MS = 2_900;
const ATTEMPT_TIMEOUT_MS = 1_400;
/** A larger upload might miss the deadline of the first answer, which is then deferred. */
const MOST_DIRECT_BYTES = 256 * 1024;

/** With this option Discord's answer has the id of the message. */
const WITH_RESPONSE = { with_response: true } as const;
const callbackAnswer = z.object({ interaction: z.object({ response_message_id: z.string().optional() }) });

export const hasEphemeralMessage = (interaction: APIInteraction): boolean =>
  ((interaction.message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;

const needsDeferral = ({ files }: Payload): boolean =>
  files.some(({ data }) => Buffer.isBuffer(data) && data.byteLength > MOST_DIRECT_BYTES);

/** Bounds of first answers that need no message id; a lost one is ignored. */
export const FIRST_ANSWER = { timeoutMs: 2_500, totalTimeoutMs: 2_500 };

/** Sends the payload, and once more without its file if Discord refuses that, so that the person still gets an answer. */
function withFallback<T>(payload: Payload, send: (payload: Payload) => Promise<T>): Promise<T> {
  return send(payload).catch((error: unknown) => {
    if (payload.withoutFile === undefined || !isFileRefused(error)) throw error;
    return send(payload.withoutFile);
  });
}

/** Ignores an error after which the callback may have arrived; the answer that follows will show whether it did. */
function acceptUnknown(error: unknown): object {
  if (error instanceof DiscordFault && error.kind === 'unknown') return {};
  throw error;
}

/**
 * Answers one interaction with its token, in the way that is still possible: first answer, edit or follow-up. The answers
 * resolve with undefined if it was too late. `answeredElsewhere` is called if another program answered first, though Discord
 * sent the interaction once. `deferring` is awaited before an acknowledgement, from which on an answer is owed.
 */
export function createResponder(
  { api, clock }: Pick<DiscordContext, 'api' | 'clock'>,
  interaction: Arrived,
  answeredElsewhere: () => void,
  deferring: (as: 'thinking' | 'pressed') => Promise<void>,
) {
  const { application_id: app, token, id, arrivedAt, isRepeated } = interaction;
  /**
   * `fresh`: no first answer was sent. `thinking`: "thinking…" is shown, and its message becomes the answer. `pressed`: the
   * press was acknowledged, and `@original` is the message with the button. `taken`: it was answered elsewhere, or it is too
   * late.
   */
  let state: 'fresh' | 'thinking' | 'pressed' | 'taken' = 'fresh';
  let isOriginalPrivate = hasEphemeralMessage(interaction);
  /** The id of the ephemeral message that tells the presser that the answer takes longer. */
  let beside: string | undefined;

  /** Describes the message that was made or edited; without an id, the first answer whose id Discord did not return. */
  const card = (message: string | undefined, ephemeral: boolean): Card =>
    answerCard(interaction, clock.now(), { message, ephemeral });

  const findOriginal = async (): Promise<string | undefined> => {
    const { interactions } = api.within({ totalTimeoutMs: 5_000 });
    const found = await interactions.getOriginalReply(app, token).catch(() => undefined);
    return createdShape.safeParse(found).data?.id;
  };

  /**
   * Sends the first answer. If it is unknown whether that arrived, Discord is asked for the message before one retry.
   * `taken`: the interaction was answered already, or it is too late.
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
      if (isRefusedWith(error, RESTJSONErrorCodes.UnknownInteraction)) return 'taken';
      if (isRefusedWith(error, RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged)) {
        // On a retry, this error means that our first attempt had arrived.
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
    // Discord allows no flag but this one in a deferral.
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

  /** Sends a public follow-up as the bot, because only then can it be sent exactly once (`enforce_nonce`). */
  const followUpAsBot = async (payload: Payload, purpose: string): Promise<Card | undefined> => {
    if (!isInstalledByServer(interaction)) return undefined;
    const answered = interaction.message?.id;
    const reference =
      answered === undefined
        ? {}
        : { message_reference: { message_id: answered, fail_if_not_exists: false } };
    const message = { ...newMessage(payload, false), ...reference };
    try {
      const sent = await postMessage(api, readPlace(interaction).channel, message, purpose);
      // No interaction's token can edit a message that the bot itself sent.
      return { ...card(idOf(sent), false), token: undefined };
    } catch (error) {
      // The bot may not write here, or may not read the message that it answers; a follow-up with the token needs neither
      // permission.
      if (error instanceof DiscordFault && error.kind === 'refused') return undefined;
      throw error;
    }
  };

  /** Sends another message after the first answer. `purpose` makes the nonce of each follow-up its own. */
  const followUp = (payload: Payload, isPrivate: boolean, purpose = `further ${id}`): Promise<Card> =>
    withFallback(payload, async (each) => {
      const posted = isPrivate ? undefined : await followUpAsBot(each, purpose);
      if (posted !== undefined) return posted;
      // A retry could show the message twice, which is acceptable only if it is ephemeral.
      const { interactions } = api.within({ repeatable: isPrivate });
      const sent = await interactions.followUp(app, token, newMessage(each, isPrivate));
      return card(idOf(sent), isPrivate);
    });

  /** Shows a new message: as the first answer, in place of "thinking…", or as a follow-up after a press. */
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
    /** Acknowledges the interaction: shows "thinking…", or for a press nothing. */
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
    /** Sends a new message with another visibility, and deletes the message with the button. */
    async replyInstead(payload: Payload, isPrivate: boolean): Promise<Card | undefined> {
      if (state === 'thinking') return reply(payload, isPrivate);
      if (state === 'fresh') await defer('pressed');
      if (state === 'taken') return undefined;
      const sent = await followUp(payload, isPrivate);
      // If the deletion fails, a press of the old buttons is answered as stale.
      await removeOriginal().catch(() => undefined);
      return sent;
    },
    /** Sends the card of another job after the answer. */
    followUp: (payload: Payload, isPrivate: boolean, job: string): Promise<Card> =>
      followUp(payload, isPrivate, jobPurpose(job)),
    async deleteReply(): Promise<void> {
      if (state === 'fresh') await defer('pressed').catch(ignoreGone);
      if (state !== 'taken') await removeOriginal();
    },
    /**
     * Says that the answer takes longer, after it was deferred: in the message that becomes the answer, or, if that will be
     * a new message, in an ephemeral one that `removeMeanwhile` deletes.
     */
    async meanwhile(payload: Payload, isInPlace: boolean): Promise<void> {
      if (state === 'thinking' || (state === 'pressed' && isInPlace)) await edit(payload);
      else if (state === 'pressed') beside = (await followUp(payload, true)).message;
    },
    /** Deletes the message of `meanwhile`, because the answer is shown. */
    async removeMeanwhile(): Promise<void> {
      if (beside !== undefined) await api.interactions.deleteReply(app, token, beside).catch(() => undefined);
    },
    /** Opens a form, which is possible only while the state is `fresh`. */
    async showModal(modal: APIModalInteractionResponseCallbackData): Promise<void> {
      await callback((interactions) => interactions.createModal(id, token, { ...modal, ...WITH_RESPONSE }));
    },
  };
}

export type Responder = ReturnType<typeof createResponder>;
