import { RESTJSONErrorCodes } from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { DrawOutcome } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { DeletionOutcome } from '../../adapter.ts';
import { type Card, cardRef } from '../payloads/card-ref.ts';
import { filesIn } from '../payloads/message-parts.ts';
import { attachmentRef } from '../payloads/photo-ref.ts';
import { DiscordFault, isRefusedWith } from '../rest/fault.ts';

/** Translates Discord's answers and errors into `DrawOutcome`, the outcome of the adapter interface. */

/** Codes for a missing permission or automatic moderation; Discord may still accept other content. */
const BARRED = [
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.MessageWasBlockedByAutomaticModeration,
  RESTJSONErrorCodes.ExplicitContentCannotBeSentToTheDesiredRecipient,
  RESTJSONErrorCodes.MessageBlockedByHarmfulLinksFilter,
] as const;
/**
 * Codes after which this message cannot be edited: it, its channel or our access is gone, its thread is archived, or its
 * content is barred.
 */
export const GONE = [
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.UnknownUser,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.CannotSendMessagesToThisUser,
  RESTJSONErrorCodes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
  RESTJSONErrorCodes.InvalidRecipients,
  RESTJSONErrorCodes.InvalidActionOnArchivedThread,
  ...BARRED,
] as const;
/** Codes of a request whose interaction token is no longer valid; 401 is the status of an answer without a code. */
export const TOKEN_EXPIRED = [
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownInteraction,
  401,
] as const;

/** Ignores the error of a deletion whose message no longer exists, and throws any other. */
export function ignoreGone(error: unknown): void {
  if (!isRefusedWith(error, ...GONE, ...TOKEN_EXPIRED)) throw error;
}

/** What the refusal of a deletion tells of the message; throws any other error. */
export function deletionOutcomeOf(error: unknown): DeletionOutcome {
  if (isRefusedWith(error, RESTJSONErrorCodes.UnknownMessage, RESTJSONErrorCodes.UnknownChannel))
    return 'gone';
  ignoreGone(error);
  return 'unreachable';
}

const TOO_LARGE = [
  RESTJSONErrorCodes.RequestEntityTooLarge,
  RESTJSONErrorCodes.FileUploadedExceedsMaximumSize,
  413,
] as const;

export const isTooLarge = (error: unknown): boolean => isRefusedWith(error, ...TOO_LARGE);

/** The size of the file that is uploaded for this view. */
export const mediaBytes = ({ media }: View): number =>
  media !== undefined && 'bytes' in media ? media.bytes.byteLength : 0;

/** Whether Discord refused the content, so that a retry with the same file cannot succeed. */
export const isFileRefused = (error: unknown): boolean =>
  isRefusedWith(error, ...BARRED) || (error instanceof DiscordFault && error.isAboutContent);

export const createdShape = z.object({ id: z.string() });
const sentMessage = createdShape.extend({ channel_id: z.string(), components: z.unknown().optional() });

/** The id of a message or channel that was created. */
export const idOf = (answer: unknown): string => createdShape.parse(answer).id;

/**
 * Makes the outcome from Discord's answer, with a reference to the picture as the message shows it. `card`: set if the
 * message is new.
 */
export function drawOutcomeOf(answer: unknown, view: View, card?: Card): DrawOutcome {
  const message = sentMessage.safeParse(answer).data;
  const [file] = filesIn(message?.components);
  const moved = card === undefined ? {} : { card: cardRef(card) };
  if (message === undefined || file === undefined || view.media?.kind !== 'image')
    return { state: 'drawn', ...moved };
  const { url, id } = file;
  const ref = attachmentRef({ url, ...defined({ id }), channel: message.channel_id, message: message.id });
  const spoiler = file.hidden ? { spoiler: true } : {};
  return { state: 'drawn', ...moved, result: { from: 'discord', ref, ...spoiler } };
}

/**
 * Translates temporary failures into `later` and permanent ones into `gone`; throws unexpected ones. `lower` is given for a
 * final edit, whose content can be `refused`: it lowers the limit of file sizes, and returns false if there is no lower
 * limit to try.
 */
export async function toOutcome(
  attempt: () => Promise<DrawOutcome> | DrawOutcome,
  lower?: () => boolean,
): Promise<DrawOutcome> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error;
    if (isRefusedWith(error, ...BARRED)) return { state: 'gone', messageRemains: true };
    if (isRefusedWith(error, ...GONE)) return { state: 'gone' };
    // The next attempt, at once, makes the file fit the lowered limit.
    if (isTooLarge(error) && lower?.()) return { state: 'later', afterMs: 0 };
    if (lower !== undefined && error.isAboutContent) return { state: 'refused', reason: error.message };
    if (error.kind === 'refused') throw error;
    return { state: 'later', afterMs: Math.max(error.retryAfterMs, 1_000) };
  }
}
