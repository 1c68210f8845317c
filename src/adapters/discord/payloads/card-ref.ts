import { type APIInteraction, messageLink } from 'discord.js';
import { z } from 'zod';
import type { CardRef, Place } from '../../../command/place.ts';
import { isInstalledByServer, readCaller, readPlace, serverOf } from './interaction.ts';

/** The file size that Discord documents, for interactions that name no limit. */
export const DOCUMENTED_BYTES = 20 * 1024 ** 2;

/** Discord's alias for the message of the first answer, which only routes with the interaction's token understand. */
export const ORIGINAL_MESSAGE = '@original';

/**
 * The content of a card reference: where one of our messages is and how it can be reached, for requests from any process.
 */
const card = z.object({
  app: z.string(),
  channel: z.string(),
  /** Undefined for a first answer whose id Discord did not return; only the token reaches that message. */
  message: z.string().transform((id) => (id === ORIGINAL_MESSAGE ? undefined : id)),
  /** The person whom the message answers; a direct message to them is the last way to tell the result. */
  user: z.string(),
  locale: z.string(),
  /** The interaction's token, which can edit the message for 15 minutes after `at`. */
  token: z.string().optional(),
  at: z.number(),
  ephemeral: z.boolean(),
  /** Whether the bot itself is in that channel; false where only a user has installed the bot. */
  member: z.boolean(),
  /** How many bytes an attachment may have in that channel. */
  limit: z.number(),
  /** Whether the photo was a spoiler, so that the result is one, too. */
  spoiler: z.boolean(),
});

export type Card = z.infer<typeof card>;

/** Packs a card into the reference that is stored with its job. */
export function cardRef(value: Card): CardRef {
  const message = value.message ?? ORIGINAL_MESSAGE;
  return { platform: 'discord', ref: JSON.stringify({ ...value, message }) };
}

/** The key of a message in memory: its id, or the token of the interaction whose first answer it is. */
export const cardKey = ({ message, token = '' }: Card): string => message ?? token;

/** Describes a message that answers an interaction: the first answer, or the one with the id in `shown`. */
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

/** How long a token is used: tokens expire after 15 minutes, and the rest is for the edit itself. */
export const TOKEN_LIFE_MS = 14.5 * 60_000;

export const liveToken = (value: Card, now: number): string | undefined =>
  value.token !== undefined && now - value.at < TOKEN_LIFE_MS ? value.token : undefined;

/** Makes a link to the message for members of the server; undefined for an ephemeral message, which has none. */
export function linkOf({ channel, message, ephemeral }: Card, place: Place): string | undefined {
  const server = serverOf(place);
  if (server === undefined || ephemeral || message === undefined) return undefined;
  return messageLink(channel, message, server);
}
