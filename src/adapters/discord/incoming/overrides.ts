import { type APIInteraction, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import { DiscordFault } from '../api/fault.ts';
import { parentOf, readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';

/** Either permission makes a moderator. */
export function canManage(bits: bigint): boolean {
  return (bits & (PermissionFlagsBits.Administrator | PermissionFlagsBits.ManageGuild)) !== 0n;
}

const bits = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);
const channelShape = z.object({
  /** Absent where there are none. */
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits })).nullish(),
});
const guildShape = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: bits })),
});

/** Whether the server's roles, without channel overrides, let a member manage it. */
export function createServerRightCheck(requests: Requests) {
  return async (
    guild: string,
    user: string,
    memberRoles: readonly string[],
    totalTimeoutMs?: number,
  ): Promise<boolean> => {
    const answer = await requests.asBot({
      doing: 'read a server',
      method: 'GET',
      route: Routes.guild(guild),
      ...(totalTimeoutMs === undefined ? {} : { timeoutMs: totalTimeoutMs, totalTimeoutMs }),
    });
    const { owner_id, roles } = guildShape.parse(answer);
    if (owner_id === user) return true;
    // The id of @everyone is the server's own id.
    const memberRoleIds = [guild, ...memberRoles];
    if (roles.some(({ id, permissions }) => memberRoleIds.includes(id) && canManage(permissions)))
      return true;
    const known = new Set(roles.map(({ id }) => id));
    if (!memberRoleIds.every((id) => known.has(id)))
      throw new Error('the server does not name all of their roles');
    return false;
  };
}

function isLimited(error: unknown): boolean {
  return error instanceof DiscordFault && error.kind === 'rate-limited';
}

/** A command must be answered in three seconds. */
const CHECK_TIMEOUT_MS = 1_200;

/**
 * The permissions that come with an interaction include its channel's overrides, and a person who manages permissions
 * of one channel can override any of them there, Manage Server too (discord-api-docs #640). So where an override grants
 * it, or may do so, the server's own roles decide.
 */
export function createOverrideCheck(requests: Requests) {
  const hasServerRight = createServerRightCheck(requests);

  const isOverridden = async (channel: string, holders: readonly string[]): Promise<boolean> => {
    const answer = await requests.asBot({
      doing: 'read a channel',
      method: 'GET',
      route: Routes.channel(channel),
      timeoutMs: CHECK_TIMEOUT_MS,
      totalTimeoutMs: CHECK_TIMEOUT_MS,
    });
    const { permission_overwrites: overwrites } = channelShape.parse(answer);
    return (overwrites ?? []).some(({ id, allow }) => holders.includes(id) && canManage(allow));
  };

  /** Whether the server grants what the interaction's permissions claim. */
  return async (interaction: APIInteraction): Promise<boolean> => {
    const { guild_id: guild, member, channel } = interaction;
    if (guild === undefined || member === undefined) return false;
    const { id: user } = readCaller(interaction);
    // A thread has the overrides of its channel.
    const where = parentOf(interaction) ?? channel?.id ?? '';
    const found = await isOverridden(where, [guild, user, ...member.roles]).catch(() => undefined);
    if (found === false) return true;
    // If neither request succeeds, the interaction's permissions count, unless an override was seen. A rate limit is an
    // exception: anybody could cause one by sending many requests.
    return hasServerRight(guild, user, member.roles, CHECK_TIMEOUT_MS).catch(
      (error: unknown) => found === undefined && !isLimited(error),
    );
  };
}
