import { type APIInteraction, Routes } from 'discord.js';
import { z } from 'zod';
import type { CardRef, Place } from '../../../command/place.ts';
import { isMember, readCaller, readPlace } from './interaction.ts';
import { standardBytes } from './size-limits.ts';

/** Where one of our messages is and by which ways it can be reached; all that egress needs, from any process. */
const card = z.object({
  app: z.string(),
  channel: z.string(),
  message: z.string(),
  /** The person to whom it answers: their direct messages are the last resort. */
  user: z.string(),
  locale: z.string(),
  /** The interaction's token edits the message for 15 minutes from `at` on. */
  token: z.string().optional(),
  at: z.number(),
  ephemeral: z.boolean(),
  /** The bot itself is in that channel; not so where only a person installed it. */
  member: z.boolean(),
  /** Bytes that an attachment may have there. */
  limit: z.number(),
  /** The photo was hidden, so its result is. */
  spoiler: z.boolean(),
});

export type Card = z.infer<typeof card>;

export const cardRef = (value: Card): CardRef => ({ platform: 'discord', ref: JSON.stringify(value) });

/** Discord's name for the answer to an interaction, whichever message that turns out to be. */
export const ORIGINAL = '@original';

/** As Discord's pages write it: discord.js would send the @ in another form. */
export const withTokenRoute = (app: string, token: string, message: string): `/${string}` =>
  `${Routes.webhook(app, token)}/messages/${message}`;

/** A message that answers an interaction. */
export const answerCard = (
  interaction: APIInteraction,
  { message, ephemeral, spoiler }: Pick<Card, 'message' | 'ephemeral' | 'spoiler'>,
  received: number,
): Card => {
  const { id, locale } = readCaller(interaction);
  return {
    app: interaction.application_id,
    channel: readPlace(interaction).channel,
    message,
    user: id,
    locale,
    token: interaction.token,
    at: received,
    ephemeral,
    member: isMember(interaction),
    limit: interaction.attachment_size_limit ?? standardBytes,
    spoiler,
  };
};

export const readCard = (ref: CardRef): Card => card.parse(JSON.parse(ref.ref));

/** Discord forgets a token after 15 minutes; a little earlier, an edit under way would be too late. */
const TOKEN_LIFE = 14.5 * 60_000;

export const liveToken = (value: Card, now: number): string | undefined =>
  value.token !== undefined && now - value.at < TOKEN_LIFE ? value.token : undefined;

/** Where members of the server find the message; one that a single person sees has no address for others. */
export const linkOf = ({ channel, message, ephemeral }: Card, { community }: Place): string | undefined => {
  const server = /^discord:(\d+)$/.exec(community)?.[1];
  if (server === undefined || ephemeral || message === ORIGINAL) return undefined;
  return `https://discord.com/channels/${server}/${channel}/${message}`;
};
