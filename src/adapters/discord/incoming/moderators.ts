import { type APIInteraction, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Caller, Place } from '../../../command/place.ts';
import { readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';
import { canManage, createOverrideCheck, createServerRightCheck } from './overrides.ts';

const memberShape = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

/** Who may manage a server, asked of Discord each time. */
export function createModerators(requests: Requests, clock: Clock) {
  /** Entries live as long as their interaction, so their number is bounded. */
  const handling = new Map<string, { readonly interaction: string; isAllowed(): Promise<boolean> }>();
  const isGrantedByServer = createOverrideCheck(requests);
  const hasServerRight = createServerRightCheck(requests);

  /** Checked at most once per interaction. */
  const permissionsOf = (interaction: APIInteraction, permissions: string) => {
    let verdict: Promise<boolean> | undefined;
    return {
      interaction: interaction.id,
      isAllowed: () => {
        verdict ??= canManage(BigInt(permissions)) ? isGrantedByServer(interaction) : Promise.resolve(false);
        return verdict;
      },
    };
  };

  const askDiscord = async (guild: string, user: string): Promise<boolean> => {
    const answer = await requests.asBot({
      doing: 'read a member',
      method: 'GET',
      route: Routes.guildMember(guild, user),
    });
    const member = memberShape.parse(answer);
    const timedOutUntil = Date.parse(member.communication_disabled_until ?? '');
    return !(timedOutUntil > clock.now()) && hasServerRight(guild, user, member.roles);
  };

  return {
    /** While an interaction is handled, the permissions that came with it are used. */
    async during<T>(interaction: APIInteraction, work: () => Promise<T>): Promise<T> {
      const { guild_id, member } = interaction;
      if (guild_id === undefined || member?.permissions === undefined) return work();
      const key = `${guild_id}:${readCaller(interaction).id}`;
      handling.set(key, permissionsOf(interaction, member.permissions));
      try {
        return await work();
      } finally {
        if (handling.get(key)?.interaction === interaction.id) handling.delete(key);
      }
    },
    async isModerator(caller: Caller, place: Place): Promise<boolean> {
      const guild = /^discord:(\d+)$/.exec(place.community)?.[1];
      if (guild === undefined || caller.platform !== 'discord') return false;
      const known = handling.get(`${guild}:${caller.id}`);
      if (known !== undefined) return known.isAllowed();
      return askDiscord(guild, caller.id).catch(() => false);
    },
  };
}
