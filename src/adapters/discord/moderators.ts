import { type APIInteraction, PermissionFlagsBits, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Caller, Place } from '../../command/place.ts';
import { readCaller } from './parse.ts';
import type { Requests } from './requests.ts';

/** Who may manage a server, as Discord says now. */
export interface Moderators {
  /** While an interaction is being handled, the permissions that came with it are Discord's latest word. */
  during<T>(interaction: APIInteraction, work: () => Promise<T>): Promise<T>;
  isModerator(caller: Caller, place: Place): Promise<boolean>;
}

const guildShape = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string() })),
});
const memberShape = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

const manages = (bits: bigint): boolean =>
  (bits & (PermissionFlagsBits.Administrator | PermissionFlagsBits.ManageGuild)) !== 0n;

export const createModerators = (requests: Requests, clock: Clock): Moderators => {
  /** Entries live as long as their interaction, so there are never more than interactions in hand. */
  const present = new Map<string, { readonly bits: bigint; readonly interaction: string }>();

  const lookUp = async (guild: string, user: string): Promise<boolean> => {
    const [guildAnswer, memberAnswer] = await Promise.all([
      requests.asBot({ doing: 'read a server', method: 'GET', route: Routes.guild(guild), repeatable: true }),
      requests.asBot({
        doing: 'read a member',
        method: 'GET',
        route: Routes.guildMember(guild, user),
        repeatable: true,
      }),
    ]);
    const { owner_id, roles } = guildShape.parse(guildAnswer);
    if (owner_id === user) return true;
    const member = memberShape.parse(memberAnswer);
    const silencedUntil = Date.parse(member.communication_disabled_until ?? '');
    if (silencedUntil > clock.now()) return false;
    // The role that everyone has carries the server's own id.
    return roles.some(
      ({ id, permissions }) => (id === guild || member.roles.includes(id)) && manages(BigInt(permissions)),
    );
  };

  return {
    async during(interaction, work) {
      const { guild_id, member } = interaction;
      if (guild_id === undefined || member?.permissions === undefined) return work();
      const key = `${guild_id}:${readCaller(interaction).id}`;
      present.set(key, { bits: BigInt(member.permissions), interaction: interaction.id });
      try {
        return await work();
      } finally {
        if (present.get(key)?.interaction === interaction.id) present.delete(key);
      }
    },
    async isModerator(caller, place) {
      const guild = /^discord:(\d+)$/.exec(place.community)?.[1];
      if (guild === undefined || caller.platform !== 'discord') return false;
      const known = present.get(`${guild}:${caller.id}`);
      if (known !== undefined) return manages(known.bits);
      return lookUp(guild, caller.id).catch(() => false);
    },
  };
};
