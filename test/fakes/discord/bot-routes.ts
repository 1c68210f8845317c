import { ApiError } from './api-error.ts';
import type { Request, Routes } from './rest.ts';
import {
  type Channel,
  emptyMessage,
  fileJson,
  type Guild,
  LOADING,
  type Message,
  messageJson,
  userJson,
  type World,
} from './world.ts';
import { writeMessage } from './write-message.ts';

const VIEW_CHANNEL = 0x400n;
const OBFUSCATED = 1 << 17;

/** A channel that the bot may not see, as Discord describes it, whatever is true of it. */
const hiddenChannel = ({ id, guild }: Channel) => ({
  id,
  guild_id: guild,
  type: 0,
  name: '___hidden___',
  flags: OBFUSCATED,
  permission_overwrites: [{ id: guild, type: 0, allow: '0', deny: String(VIEW_CHANNEL) }],
});

/** The channel, if the bot may touch it. */
const channelFor = (world: World, id: string): Channel => {
  const channel = world.channels.get(id);
  if (channel === undefined) throw new ApiError(404, 10003, 'Unknown Channel');
  const guild = world.guilds.get(channel.guild ?? '');
  const stranger = guild === undefined ? channel.recipient === undefined : !guild.botPresent;
  if (stranger || channel.isHidden || channel.botError === 50001)
    throw new ApiError(403, 50001, 'Missing Access');
  if (channel.botError !== undefined) throw new ApiError(403, channel.botError, 'Missing Permissions');
  return channel;
};

const messageIn = ({ world, params: [channel = '', id = ''] }: Request): Message => {
  channelFor(world, channel);
  const message = world.messages.get(id);
  // The bot itself cannot reach what only one person sees.
  if (message === undefined || message.channel !== channel || message.onlyFor !== undefined)
    throw new ApiError(404, 10008, 'Unknown Message');
  return message;
};

const createMessage = ({ world, origin, params, body }: Request): unknown => {
  const channel = channelFor(world, params[0] ?? '');
  if (channel.recipient !== undefined && world.blocked.has(channel.recipient))
    throw new ApiError(403, 50007, 'Cannot send messages to this user');
  const nonce = body.json.nonce;
  const earlier = [...world.messages.values()].find(
    (each) => each.channel === channel.id && nonce !== undefined && each.nonce === nonce,
  );
  if (earlier !== undefined && body.json.enforce_nonce === true) return messageJson(world, origin, earlier);
  const reference = body.json.message_reference as { readonly message_id: string } | undefined;
  const message: Message = {
    ...emptyMessage(world, channel.id),
    ...(typeof nonce === 'string' ? { nonce } : {}),
    ...(reference === undefined ? {} : { repliesTo: reference.message_id }),
  };
  writeMessage(world, message, body, world.botFileLimit);
  world.messages.set(message.id, message);
  return messageJson(world, origin, message);
};

const openDirect = ({ world, body }: Request): unknown => {
  const recipient = world.users.get(String(body.json.recipient_id));
  if (recipient === undefined) throw new ApiError(400, 50033, 'Invalid Recipient(s)');
  let channel = [...world.channels.values()].find((each) => each.recipient === recipient.id);
  if (channel === undefined) {
    channel = { id: world.id(), recipient: recipient.id };
    world.channels.set(channel.id, channel);
  }
  return { id: channel.id, type: 1, recipients: [userJson(recipient)] };
};

const guildFor = (world: World, id: string) => {
  const guild = world.guilds.get(id);
  if (guild === undefined || !guild.botPresent) throw new ApiError(404, 10004, 'Unknown Guild');
  return guild;
};

const describedGuild = ({ id, name, members }: Guild, query: URLSearchParams) => ({
  id,
  ...(name === undefined ? {} : { name }),
  ...(query.get('with_counts') === 'true' ? { approximate_member_count: members.size } : {}),
});

/** The id in a query; 0 where there is none. */
const idIn = (query: URLSearchParams, name: string): bigint => {
  const value = query.get(name) ?? '0';
  if (!/^\d+$/.test(value)) throw new ApiError(400, 50035, `Invalid Form Body: ${name} is not a snowflake`);
  return BigInt(value);
};

const refreshed = (world: World, origin: string, address: string): unknown => {
  const file = world.files.get(/attachments\/\d+\/(\d+)\//.exec(address)?.[1] ?? '');
  if (file !== undefined) file.expired = false;
  return { original: address, refreshed: file === undefined ? null : fileJson(world, origin, file).url };
};

/** Calls with the bot’s token, by method and path, as Discord answers them. */
export const botRoutes: Routes = {
  'GET /applications/@me': ({ world }) => ({
    id: world.application,
    name: 'Darkroom',
    bot: userJson(world.bot),
    verify_key: world.verifyKey,
    interactions_endpoint_url: world.endpointUrl,
  }),
  'GET /users/@me/guilds': ({ world, query }) => {
    const after = idIn(query, 'after');
    const limit = Number(query.get('limit') ?? 200);
    return [...world.guilds.values()]
      .filter((guild) => guild.botPresent && BigInt(guild.id) > after)
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
      .slice(0, limit)
      .map((guild) => describedGuild(guild, query));
  },
  'GET /gateway/bot': ({ gateway: url, world: { shards, sessions } }) => ({
    url,
    shards,
    session_start_limit: { total: 1000, ...sessions },
  }),
  'PUT /applications/:id/commands': ({ world, list }) => {
    world.commands = list;
    world.registrations += 1;
    return list.map((each, index) => ({ ...Object(each), id: String(index + 1) }));
  },
  'POST /channels/:id/messages': createMessage,
  'POST /users/@me/channels': openDirect,
  'GET /channels/:id/messages/:id': (request) =>
    messageJson(request.world, request.origin, messageIn(request)),
  'PATCH /channels/:id/messages/:id': (request) => {
    const { world, origin, body } = request;
    const found = messageIn(request);
    writeMessage(world, found, body, world.botFileLimit);
    found.flags &= ~LOADING;
    found.edits += 1;
    return messageJson(world, origin, found);
  },
  'DELETE /channels/:id/messages/:id': (request) => void request.world.messages.delete(messageIn(request).id),
  'POST /attachments/refresh-urls': ({ world, origin, body: { json } }) => {
    if (!Array.isArray(json.attachment_urls))
      throw new ApiError(400, 50035, 'Invalid Form Body: attachment_urls is required');
    return { refreshed_urls: json.attachment_urls.map((each) => refreshed(world, origin, String(each))) };
  },
  'GET /channels/:id': ({ world, params: [id = ''] }) => {
    const channel = world.channels.get(id);
    if (channel?.guild === undefined) throw new ApiError(404, 10003, 'Unknown Channel');
    guildFor(world, channel.guild);
    if (channel.botError !== undefined) throw new ApiError(403, channel.botError, 'Missing Access');
    if (channel.isHidden) return hiddenChannel(channel);
    const overwrites = (channel.overwrites ?? []).map(({ id, allow }) => ({
      id,
      type: id === channel.guild ? 0 : 1,
      allow: String(allow),
      deny: '0',
    }));
    return {
      id: channel.id,
      guild_id: channel.guild,
      ...(channel.parent === undefined
        ? { type: 0, permission_overwrites: overwrites }
        : { type: 11, parent_id: channel.parent }),
    };
  },
  'GET /guilds/:id': ({ world, params: [id = ''], query }) => {
    const guild = guildFor(world, id);
    const roles = [...guild.roles].map(([id, permissions]) => ({ id, permissions: String(permissions) }));
    return { ...describedGuild(guild, query), owner_id: guild.owner, roles };
  },
  'GET /guilds/:id/members/:id': ({ world, params: [id = '', user = ''] }) => {
    const guild = guildFor(world, id);
    const roles = guild.members.get(user);
    if (roles === undefined) throw new ApiError(404, 10007, 'Unknown Member');
    return { user: { id: user }, roles, communication_disabled_until: guild.timeouts?.get(user) ?? null };
  },
};
