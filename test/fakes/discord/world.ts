import type { Clock } from '../../../src/base/clock.ts';
import { componentsJson, filesOf, V2 } from './components.ts';

/** Everything that the fake Discord knows: people, servers, channels, messages, interactions, files. */

/** A person, or the bot. */
export interface User {
  readonly id: string;
  readonly name: string;
}

/** A server. */
export interface Guild {
  readonly id: string;
  readonly name?: string;
  readonly owner: string;
  /** Permission bits of each role; the role with the guild's own id is everyone's. */
  readonly roles: Map<string, bigint>;
  /** Role ids of each member. */
  readonly members: Map<string, readonly string[]>;
  /** The time until which somebody may not write. */
  timeouts?: ReadonlyMap<string, string>;
  /** False where only a user installed the application. */
  botPresent: boolean;
}

/** A channel, a thread or a direct message. */
export interface Channel {
  readonly id: string;
  readonly guild?: string;
  /** The person at the other end of a direct message. */
  readonly recipient?: string;
  /** The channel that a thread belongs to. */
  readonly parent?: string;
  /** Permissions of roles and people in this channel, beyond or short of those in the server. */
  overwrites?: readonly { readonly id: string; readonly allow: bigint }[];
  /** The error that the bot gets when it writes here, e.g. 50001 without access, 50013 without permission. */
  botError?: number;
  /** The bot may not see it, which Discord does not say: it describes another channel in its place. */
  isHidden?: boolean;
}

/** A file that was uploaded. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly description?: string;
  readonly isSpoiler?: boolean;
  /** Who may still fetch it by this address; Discord's addresses expire. */
  expired: boolean;
}

/** A message, as the fake keeps it. */
export interface Message {
  readonly id: string;
  readonly channel: string;
  readonly author: string;
  /** The text that people read: the content, or the texts of its components. */
  content: string;
  attachments: StoredFile[];
  components: readonly unknown[];
  embeds: readonly unknown[];
  flags: number;
  readonly onlyFor?: string;
  readonly nonce?: string;
  /** The message that it is a reply to. */
  readonly repliesTo?: string;
  edits: number;
}

/** Something that a person did with the bot, and how far the bot has answered. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly at: number;
  readonly type: number;
  readonly user: string;
  readonly channel: string;
  readonly guildInstalled: boolean;
  readonly sizeLimit: number;
  /** The message whose button was pressed, or whose button opened the form. */
  readonly source?: string;
  ack?: { readonly type: number; readonly at: number; readonly data: unknown };
  original?: string;
  readonly followUps: string[];
}

/** A server in which the bot is and nobody has any permission, unless a test says otherwise. */
export const createGuild = (id: string, more: Partial<Guild> = {}): Guild => ({
  id,
  owner: '1',
  roles: new Map([[id, 0n]]),
  members: new Map(),
  botPresent: true,
  ...more,
});

/** The flag of messages that one person alone sees. */
export const EPHEMERAL = 64;
/** The flag of messages that show “thinking…”. */
export const LOADING = 128;
const IS_SPOILER = 1 << 3;
const EPOCH = 1_420_070_400_000;

/** A Discord with nobody in it but the bot. */
export const createWorld = (clock: Clock) => {
  let count = 0;
  const id = (): string => String((BigInt(Math.floor(clock.now()) - EPOCH) << 22n) + BigInt(count++));
  const bot: User = { id: id(), name: 'Darkroom' };
  return {
    clock,
    bot,
    application: bot.id,
    users: new Map([[bot.id, bot]]),
    guilds: new Map<string, Guild>(),
    channels: new Map<string, Channel>(),
    messages: new Map<string, Message>(),
    interactions: new Map<string, Interaction>(),
    files: new Map<string, StoredFile>(),
    blocked: new Set<string>(),
    commands: [] as readonly unknown[],
    /** How often the commands were overwritten. */
    registrations: 0,
    /** The sessions that can still be started today. */
    sessions: { remaining: 999, reset_after: 0, max_concurrency: 1 },
    /** How many bytes a file of the bot's own messages may have; some routes of Discord take half of that. */
    botFileLimit: 20 * 1024 * 1024,
    /** How many shards Discord recommends. */
    shards: 1,
    /** How long Discord waits for a first answer: three seconds. By the machine's clock longer, which would measure its load. */
    answerWithinMs: 'advance' in clock ? 3_000 : 60_000,
    /** Everything that a careful platform would object to: late answers, pings, requests that are not as described. */
    complaints: [] as string[],
    tokenAccepted: true,
    /** The application's public key, and where it wants interactions posted. */
    verifyKey: '',
    endpointUrl: null as string | null,
    /** Told of every first answer. */
    answered: (_: Interaction): void => undefined,
    /** Told of every "thinking…" that has become a message. */
    thought: (_: Interaction): void => undefined,
    id,
  };
};

/** Everything that the fake Discord knows. */
export type World = ReturnType<typeof createWorld>;

/** A person, as Discord describes them to the bot. */
export const userJson = (user: User): Record<string, unknown> => ({
  id: user.id,
  username: user.name,
  global_name: user.name,
  discriminator: '0',
  avatar: null,
});

/** `origin` is the address under which this fake serves files. */
export const fileJson = (world: World, origin: string, file: StoredFile): Record<string, unknown> => {
  const life = file.expired ? -1 : 86_400;
  const until = Math.floor(world.clock.now() / 1000) + life;
  return {
    id: file.id,
    filename: file.name,
    content_type: file.type,
    size: file.bytes.byteLength,
    url: `${origin}/attachments/1/${file.id}/${file.name}?ex=${until.toString(16)}&is=1&hm=abc123`,
    proxy_url: `${origin}/attachments/1/${file.id}/${file.name}`,
    ...(file.description === undefined ? {} : { description: file.description }),
    flags: file.isSpoiler === true ? IS_SPOILER : 0,
  };
};

/** A message, as Discord describes it to the bot; `origin` is the address under which this fake serves files. */
export const messageJson = (world: World, origin: string, message: Message): Record<string, unknown> => ({
  id: message.id,
  channel_id: message.channel,
  author: userJson(world.users.get(message.author) ?? world.bot),
  content: (message.flags & V2) === 0 ? message.content : '',
  timestamp: new Date(world.clock.now()).toISOString(),
  edited_timestamp: message.edits > 0 ? new Date(world.clock.now()).toISOString() : null,
  tts: false,
  mention_everyone: false,
  mentions: [],
  mention_roles: [],
  // "any attached files that are not referenced in embeds or components"
  attachments: message.attachments
    .filter(({ id }) => (message.flags & V2) === 0 || !filesOf(message).some((seen) => seen.id === id))
    .map((file) => fileJson(world, origin, file)),
  embeds: message.embeds,
  // "Sent if the message contains components".
  ...(message.components.length === 0
    ? {}
    : {
        components: componentsJson(message.components, message.attachments, (file) =>
          String(fileJson(world, origin, file).url),
        ),
      }),
  pinned: false,
  type: 0,
  flags: message.flags,
  ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
});

/** A new message without content, which is not in the world yet. */
export const emptyMessage = (world: World, channel: string, author = world.bot.id): Message => ({
  id: world.id(),
  channel,
  author,
  content: '',
  attachments: [],
  components: [],
  embeds: [],
  flags: 0,
  edits: 0,
});
