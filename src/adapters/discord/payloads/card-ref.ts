import { type APIInteraction, messageLink } from 'discord.js';
import { z } from 'zod';
import type { CardRef, Place } from '../../../command/place.ts';
import { isInstalledByServer, readCaller, readPlace, serverOf } from './interaction.ts';

/** What Discord documents for a file where an interaction names no limit. */
export const DOCUMENTED_BYTES = 20 * 1024 ** 2;

/** Discord's alias for the first answer to an interaction; a bot's own routes do not know it. */
export const ORIGINAL_MESSAGE = '@original';

/** Where one of our messages is and how it can be reached: all that outgoing requests need, from any process. */
const card = z.object({
  app: z.string(),
  channel: z.string(),
  /** Undefined: the first answer, whose id Discord did not return; only the token reaches it. */
  message: z.string().transform((id) => (id === ORIGINAL_MESSAGE ? undefined : id)),
  /** The person it answers; their direct messages are the last resort. */
  user: z.string(),
  locale: z.string(),
  /** The interaction's token can edit the message for 15 minutes after `at`. */
  token: z.string().optional(),
  at: z.number(),
  ephemeral: z.boolean(),
  /** The bot itself is in that channel; false where only a user installed it. */
  member: z.boolean(),
  /** Bytes that an attachment may have there. */
  limit: z.number(),
  /** The photo was a spoiler, so the result is one. */
  spoiler: z.boolean(),
});

export type Card = z.infer<typeof card>;

export function cardRef(value: Card): CardRef {
  const message = value.message ?? ORIGINAL_MESSAGE;
  return { platform: 'discord', ref: JSON.stringify({ ...value, message }) };
}

/** The same for one message, and no other's. */
export const cardKey = ({ message, token = '' }: Card): string => message ?? token;

/** A message that answers an interaction. */
export function answerCard(
  interaction: APIInteraction,
  received: number,
  shown: Partial<Pick<Card, 'message' | 'ephemeral' | 'spoiler'>> = {},
): Card {
  const { id, locale } = readCaller(interaction);
  return {
    app: interaction.application_id,
    channel: readPlace(interaction).channel,
    message: undefined,
    user: id,
    locale,
    token: interaction.token,
    at: received,
    ephemeral: false,
    member: isInstalledByServer(interaction),
    limit: interaction.attachment_size_limit ?? DOCUMENTED_BYTES,
    spoiler: false,
    ...shown,
  };
}

export const readCard = (ref: CardRef): Card => card.parse(JSON.parse(ref.ref));

/** Tokens expire after 15 minutes; the rest is for the edit itself. */
export const TOKEN_LIFE_MS = 14.5 * 60_000;

export const liveToken = (value: Card, now: number): string | undefined =>
  value.token !== undefined && now - value.at < TOKEN_LIFE_MS ? value.token : undefined;

/** A link for members of the server; an ephemeral message has none. */
export function linkOf({ channel, message, ephemeral }: Card, place: Place): string | undefined {
  const server = serverOf(place);
  if (server === undefined || ephemeral || message === undefined) return undefined;
  return messageLink(channel, message, server);
}
