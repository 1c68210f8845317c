import { type APIInteraction, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import { DiscordProblem } from '../api/fault.ts';
import { readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';

/** The two rights that make a moderator of a server. */
export const manages = (bits: bigint): boolean =>
  (bits & (PermissionFlagsBits.Administrator | PermissionFlagsBits.ManageGuild)) !== 0n;

const bits = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);
const channelShape = z.object({
  /** Left out where there are none. */
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits })).nullish(),
});
const guildShape = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: bits })),
});

/** What the server itself, not one of its channels, lets a member with these roles do. */
export const createServerRights =
  (requests: Requests) =>
  async (
    guild: string,
    user: string,
    memberRoles: readonly string[],
    patienceMs?: number,
  ): Promise<boolean> => {
    const answer = await requests.asBot({
      doing: 'read a server',
      method: 'GET',
      route: Routes.guild(guild),
      repeatable: true,
      ...(patienceMs === undefined ? {} : { withinMs: patienceMs, patienceMs }),
    });
    const { owner_id, roles } = guildShape.parse(answer);
    if (owner_id === user) return true;
    // The role that everyone has carries the server's own id.
    const theirs = [guild, ...memberRoles];
    if (roles.some(({ id, permissions }) => theirs.includes(id) && manages(permissions))) return true;
    const known = new Set(roles.map(({ id }) => id));
    if (!theirs.every((id) => known.has(id))) throw new Error('the server does not name all of their roles');
    return false;
  };

const isLimited = (error: unknown): boolean => error instanceof DiscordProblem && error.kind === 'limited';

/** A command must be answered in three seconds. */
const patienceMs = 1_200;

/**
 * The permissions that come with an interaction include what its channel overrides, and whoever manages the permissions
 * of one channel can override any of them there, Manage Server too (discord-api-docs #640). So where an override grants
 * it, or may do so, the server's own roles decide.
 */
export const createOverrideCheck = (requests: Requests) => {
  const serverRights = createServerRights(requests);

  const overridden = async (channel: string, holders: readonly string[]): Promise<boolean> => {
    const answer = await requests.asBot({
      doing: 'read a channel',
      method: 'GET',
      route: Routes.channel(channel),
      repeatable: true,
      withinMs: patienceMs,
      patienceMs,
    });
    const { permission_overwrites: overwrites } = channelShape.parse(answer);
    return (overwrites ?? []).some(({ id, allow }) => holders.includes(id) && manages(allow));
  };

  /** Whether the server grants what the interaction says that its caller may do. */
  return async (interaction: APIInteraction): Promise<boolean> => {
    const { guild_id: guild, member, channel } = interaction;
    if (guild === undefined || member === undefined) return false;
    const { id: user } = readCaller(interaction);
    // A thread has the overrides of its channel.
    const threaded = channel !== undefined && 'thread_metadata' in channel ? channel.parent_id : undefined;
    const where = threaded ?? channel?.id ?? '';
    const found = await overridden(where, [guild, user, ...member.roles]).catch(() => undefined);
    if (found === false) return true;
    // With neither to be had, the interaction is all that Discord says; an override that was seen is still no right. That
    // too much was asked is no answer: whoever wants none can see to it, by asking on and on.
    return serverRights(guild, user, member.roles, patienceMs).catch(
      (error: unknown) => found === undefined && !isLimited(error),
    );
  };
};
