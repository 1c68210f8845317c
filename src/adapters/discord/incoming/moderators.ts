import { type APIInteraction, Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Caller, Place } from '../../../command/place.ts';
import { DiscordFault, isRefusal } from '../api/fault.ts';
import { readCaller } from '../api/interaction.ts';
import type { Requests } from '../api/requests.ts';
import { canManage, createOverrideCheck, createServerRightCheck } from './overrides.ts';

const memberShape = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

const UNKNOWN_MEMBER = [10007, 10013] as const;

function serverOf({ community }: Place): string | undefined {
  return /^discord:(\d+)$/.exec(community)?.[1];
}

/** Who is in a server and who may manage it, asked of Discord each time. */
export function createServerModerators(requests: Requests, clock: Clock) {
  /** The interactions that are being handled, by server and person, the latest last; their number is bounded. */
  const handling = new Map<string, readonly { isAllowed(): Promise<boolean> }[]>();
  const isGrantedByServer = createOverrideCheck(requests);
  const hasServerRight = createServerRightCheck(requests);

  /** Checked at most once per interaction. */
  const permissionsOf = (interaction: APIInteraction, permissions: string) => {
    let verdict: Promise<boolean> | undefined;
    return {
      isAllowed: () => {
        verdict ??= canManage(BigInt(permissions)) ? isGrantedByServer(interaction) : Promise.resolve(false);
        return verdict;
      },
    };
  };

  const memberIn = async (guild: string, user: string) => {
    const route = Routes.guildMember(guild, user);
    const found = await requests.asBot({ doing: 'read a member', method: 'GET', route });
    const { roles, communication_disabled_until: until } = memberShape.parse(found);
    return { roles, isTimedOut: Date.parse(until ?? '') > clock.now() };
  };

  const askDiscord = async (guild: string, user: string): Promise<boolean> => {
    const { roles, isTimedOut } = await memberIn(guild, user);
    return !isTimedOut && hasServerRight(guild, user, roles);
  };

  return {
    async isMember(caller: Caller, place: Place): Promise<boolean> {
      const guild = serverOf(place);
      if (guild === undefined) return false;
      try {
        const { isTimedOut } = await memberIn(guild, caller.id);
        return !isTimedOut;
      } catch (error) {
        if (!(error instanceof DiscordFault && error.kind === 'refused')) throw error;
        // A server that the bot was taken from refuses its messages too.
        return !isRefusal(error, ...UNKNOWN_MEMBER);
      }
    },
    /** While an interaction is handled, the permissions that came with it are used. */
    async during<T>(interaction: APIInteraction, work: () => Promise<T>): Promise<T> {
      const { guild_id, member } = interaction;
      if (guild_id === undefined || member?.permissions === undefined) return work();
      const key = `${guild_id}:${readCaller(interaction).id}`;
      const mine = permissionsOf(interaction, member.permissions);
      handling.set(key, [...(handling.get(key) ?? []), mine]);
      try {
        return await work();
      } finally {
        const others = handling.get(key)?.filter((each) => each !== mine) ?? [];
        if (others.length > 0) handling.set(key, others);
        else handling.delete(key);
      }
    },
    async isModerator(caller: Caller, place: Place): Promise<boolean> {
      const guild = serverOf(place);
      if (guild === undefined || caller.platform !== 'discord') return false;
      const known = handling.get(`${guild}:${caller.id}`)?.at(-1);
      if (known !== undefined) return known.isAllowed();
      return askDiscord(guild, caller.id).catch(() => false);
    },
  };
}
