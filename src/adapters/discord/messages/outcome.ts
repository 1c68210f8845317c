import { RESTJSONErrorCodes } from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import type { View } from '../../../command/view.ts';
import type { Drawn } from '../../adapter.ts';
import { type Card, cardRef } from '../payloads/card-ref.ts';
import { filesIn } from '../payloads/message-parts.ts';
import { attachmentRef } from '../payloads/photo-ref.ts';
import { DiscordFault, isRefusal } from '../rest/fault.ts';

/** Discord's errors as the adapter interface's outcomes. */

/** A missing permission, or automatic moderation. Other content may still be accepted. */
const BARRED = [
  RESTJSONErrorCodes.MissingPermissions,
  RESTJSONErrorCodes.MessageWasBlockedByAutomaticModeration,
  RESTJSONErrorCodes.ExplicitContentCannotBeSentToTheDesiredRecipient,
  RESTJSONErrorCodes.MessageBlockedByHarmfulLinksFilter,
] as const;
/** The message, its channel or our access is gone; or the thread is archived; or it is barred. */
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
/** The interaction's token is no longer valid: a code of Discord, or the status alone. */
export const TOKEN_EXPIRED = [
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownInteraction,
  401,
] as const;

/** For deletions: already deleted is fine. */
export function ignoreGone(error: unknown): void {
  if (!isRefusal(error, ...GONE, ...TOKEN_EXPIRED)) throw error;
}

const TOO_LARGE = [
  RESTJSONErrorCodes.RequestEntityTooLarge,
  RESTJSONErrorCodes.FileUploadedExceedsMaximumSize,
  413,
] as const;

export const isTooLarge = (error: unknown): boolean => isRefusal(error, ...TOO_LARGE);

/** Of the file that is uploaded for this view. */
export const mediaBytes = ({ media }: View): number =>
  media !== undefined && 'bytes' in media ? media.bytes.byteLength : 0;

/** A retry with the same file cannot succeed. */
export const isFileRefused = (error: unknown): boolean =>
  isRefusal(error, ...BARRED) || (error instanceof DiscordFault && error.isAboutContent);

export const made = z.object({ id: z.string() });
const sentMessage = made.extend({ channel_id: z.string(), components: z.unknown().optional() });

/** The id of a message or channel that was created. */
export const idOf = (answer: unknown): string => made.parse(answer).id;

/** `card`: set when the message is a new one. */
export function drawn(answer: unknown, view: View, card?: Card): Drawn {
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
 * Temporary failures become `later`, permanent ones `gone`; unexpected ones are thrown. `lower`: for a final edit, whose content can be
 * `refused`; lowers the limit for files, and returns false if there is nothing lower to try.
 */
export async function toOutcome(
  attempt: () => Promise<Drawn> | Drawn,
  lower?: () => boolean,
): Promise<Drawn> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof DiscordFault)) throw error;
    if (isRefusal(error, ...BARRED)) return { state: 'gone', messageRemains: true };
    if (isRefusal(error, ...GONE)) return { state: 'gone' };
    // Drawn again at once, it is made to fit the lowered limit.
    if (isTooLarge(error) && lower?.()) return { state: 'later', afterMs: 0 };
    if (lower !== undefined && error.isAboutContent) return { state: 'refused', reason: error.message };
    if (error.kind === 'refused') throw error;
    return { state: 'later', afterMs: Math.max(error.retryAfterMs, 1_000) };
  }
}
