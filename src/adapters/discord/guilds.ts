import type { API } from '@discordjs/core/http-only';
import { type APIInteraction, ChannelFlags, PermissionFlagsBits, RESTJSONErrorCodes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Adapter, CommunityInfo } from '../adapter.ts';
import { parentOf, readCaller, serverOf } from './payloads/interaction.ts';
import type { DiscordApi } from './rest/api.ts';
import { DiscordFault, isRefusedWith } from './rest/fault.ts';

/** Whether these permissions make a moderator: Administrator or Manage Server. */
const canManage = (bits: bigint): boolean =>
  (bits & (PermissionFlagsBits.Administrator | PermissionFlagsBits.ManageGuild)) !== 0n;

const bits = z
  .string()
  .regex(/^\d{1,30}$/)
  .transform(BigInt);
const channelShape = z.object({
  name: z.string().nullish(),
  flags: z.number().nullish(),
  /** Discord leaves this field out where the channel has no overrides. */
  permission_overwrites: z.array(z.object({ id: z.string(), allow: bits })).nullish(),
});
/** The name that Discord invents for a channel that the bot may not see; the overrides are then invented, too. */
const HIDDEN_NAME = '___hidden___';
const isHidden = ({ name, flags }: z.infer<typeof channelShape>): boolean =>
  name === HIDDEN_NAME || ((flags ?? 0) & ChannelFlags.ChannelObfuscated) !== 0;

const guildShape = z.object({
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: bits })),
});

const memberShape = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
});

const listedShape = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  name: z.string().optional(),
  approximate_member_count: z.number().int().nonnegative().optional(),
});

const infoOf = ({ name, approximate_member_count: members }: z.infer<typeof listedShape>): CommunityInfo =>
  defined({ name, members });

/** Discord's limits of a list of servers. */
const PAGE = 200;
const MOST_PAGES = 1_000;

const NO_MEMBER = [RESTJSONErrorCodes.UnknownMember, RESTJSONErrorCodes.UnknownUser] as const;

/**
 * Whether the error counts as "no": people can cause a rate limit on purpose, and Discord refuses to tell about a server
 * that has only the commands.
 */
const isDecided = (error: unknown): boolean =>
  error instanceof DiscordFault && (error.kind === 'rate-limited' || error.kind === 'refused');

/** Discord waits three seconds for the answer to a command, so a permission is looked up in less. */
const QUICKLY = { timeoutMs: 1_200, totalTimeoutMs: 1_200 };

type Guilds = Required<Pick<Adapter, 'isMember' | 'isModerator' | 'communities' | 'communityInfo'>> & {
  /** Runs `work` for an interaction; `isModerator` then decides by the permissions that came with it. */
  during<T>(interaction: APIInteraction, work: () => Promise<T>): Promise<T>;
};

/**
 * Tells which servers the bot is in, who is a member and who may manage them. Discord is asked each time, by REST, because
 * the gateway would send a description of each server with all its channels.
 */
export function createGuilds(api: DiscordApi, clock: Clock): Guilds {
  const quickApi = api.within(QUICKLY);
  /**
   * The permission checks of the interactions in progress, by server and person, the latest last. The intake bounds their
   * number.
   */
  const handling = new Map<string, readonly (() => Promise<boolean>)[]>();

  /** Whether the server's roles, without channel overrides, let a member manage the server. */
  const hasServerRight = async (
    guild: string,
    user: string,
    memberRoles: readonly string[],
    asking: API = api,
  ): Promise<boolean> => {
    const { owner_id, roles } = guildShape.parse(await asking.guilds.get(guild));
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

  const isOverridden = async (channel: string, holders: readonly string[]): Promise<boolean> => {
    const found = channelShape.parse(await quickApi.channels.get(channel));
    if (isHidden(found)) throw new Error('Discord does not tell the overrides of a channel that is hidden');
    return (found.permission_overwrites ?? []).some(
      ({ id, allow }) => holders.includes(id) && canManage(allow),
    );
  };

  /**
   * Whether the server itself grants the right that the interaction's permissions claim. These include overrides
   * of the channel, and a person who manages the permissions of one channel can grant even Manage Server there
   * (discord-api-docs #640). Where an override grants the right, or may do so, the server's own roles therefore decide.
   */
  const isGrantedByServer = async (interaction: APIInteraction): Promise<boolean> => {
    const { guild_id: guild, member, channel } = interaction;
    if (guild === undefined || member === undefined) return false;
    const { id: user } = readCaller(interaction);
    // A thread has no overrides of its own, but those of its channel.
    const where = parentOf(interaction) ?? channel?.id ?? '';
    const found = await isOverridden(where, [guild, user, ...member.roles]).catch(() => undefined);
    if (found === false) return true;
    // If Discord can tell neither overrides nor roles, the interaction's permissions count.
    return hasServerRight(guild, user, member.roles, quickApi).catch(
      (error: unknown) => found === undefined && !isDecided(error),
    );
  };

  /** Makes the check of one interaction's permissions, which asks Discord once at most. */
  const permissionsOf = (interaction: APIInteraction, permissions: string) => {
    let verdict: Promise<boolean> | undefined;
    return () => {
      verdict ??= canManage(BigInt(permissions)) ? isGrantedByServer(interaction) : Promise.resolve(false);
      return verdict;
    };
  };

  const memberIn = async (guild: string, user: string) => {
    const found = await api.guilds.getMember(guild, user);
    const { roles, communication_disabled_until: until } = memberShape.parse(found);
    return { roles, isTimedOut: Date.parse(until ?? '') > clock.now() };
  };

  const askDiscord = async (guild: string, user: string): Promise<boolean> => {
    const { roles, isTimedOut } = await memberIn(guild, user);
    return !isTimedOut && hasServerRight(guild, user, roles);
  };

  return {
    async isMember(caller, place) {
      const guild = serverOf(place);
      if (guild === undefined) return false;
      try {
        const { isTimedOut } = await memberIn(guild, caller.id);
        return !isTimedOut;
      } catch (error) {
        if (!(error instanceof DiscordFault && error.kind === 'refused')) throw error;
        // Discord refuses this request, too, for a server that has removed the bot: only these codes say that there is no
        // such member.
        return !isRefusedWith(error, ...NO_MEMBER);
      }
    },
    async during(interaction, work) {
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
    async isModerator(caller, place) {
      const guild = serverOf(place);
      if (guild === undefined || caller.platform !== 'discord') return false;
      const known = handling.get(`${guild}:${caller.id}`)?.at(-1);
      if (known !== undefined) return known();
      return askDiscord(guild, caller.id).catch(() => false);
    },
    async communities() {
      const all: (CommunityInfo & { readonly community: string })[] = [];
      for (let after = '0', page = 0; page < MOST_PAGES; page += 1) {
        const answer = await api.users.getGuilds({ limit: PAGE, after, with_counts: true });
        const found = z.array(listedShape).parse(answer);
        all.push(...found.map((each) => ({ community: `discord:${each.id}`, ...infoOf(each) })));
        const last = found.at(-1);
        if (last === undefined || found.length < PAGE) return all;
        after = last.id;
      }
      throw new Error('Discord lists more servers than there can be.');
    },
    async communityInfo(place) {
      const guild = serverOf(place);
      if (guild === undefined) return undefined;
      const inTime = api.within({ totalTimeoutMs: 5_000 });
      return infoOf(listedShape.parse(await inTime.guilds.get(guild, { with_counts: true })));
    },
  };
}
