import { type APIInteraction, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Caller, Place } from '../../../command/place.ts';
import { readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';
import { createOverrideCheck, createServerRights, manages } from './overrides.ts';

/** Who may manage a server, as Discord says now. */
export interface Moderators {
  /** While an interaction is being handled, the permissions that came with it are Discord's latest word. */
  during<T>(interaction: APIInteraction, work: () => Promise<T>): Promise<T>;
  isModerator(caller: Caller, place: Place): Promise<boolean>;
}

const memberShape = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

export const createModerators = (requests: Requests, clock: Clock): Moderators => {
  /** Entries live as long as their interaction, so there are never more than interactions in hand. */
  const present = new Map<string, { readonly interaction: string; may(): Promise<boolean> }>();
  const granted = createOverrideCheck(requests);
  const serverRights = createServerRights(requests);

  /** Asked once while an interaction is handled, however often it matters. */
  const presentWith = (interaction: APIInteraction, permissions: string) => {
    let verdict: Promise<boolean> | undefined;
    return {
      interaction: interaction.id,
      may: () => {
        verdict ??= manages(BigInt(permissions)) ? granted(interaction) : Promise.resolve(false);
        return verdict;
      },
    };
  };

  const lookUp = async (guild: string, user: string): Promise<boolean> => {
    const answer = await requests.asBot({
      doing: 'read a member',
      method: 'GET',
      route: Routes.guildMember(guild, user),
      repeatable: true,
    });
    const member = memberShape.parse(answer);
    const silencedUntil = Date.parse(member.communication_disabled_until ?? '');
    return !(silencedUntil > clock.now()) && serverRights(guild, user, member.roles);
  };

  return {
    async during(interaction, work) {
      const { guild_id, member } = interaction;
      if (guild_id === undefined || member?.permissions === undefined) return work();
      const key = `${guild_id}:${readCaller(interaction).id}`;
      present.set(key, presentWith(interaction, member.permissions));
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
      if (known !== undefined) return known.may();
      return lookUp(guild, caller.id).catch(() => false);
    },
  };
};
