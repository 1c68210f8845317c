import {
  type APIApplicationCommandInteractionDataOption,
  type APIAttachment,
  type APIInteraction,
  type APIInteractionDataResolved,
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  AttachmentFlags,
  InteractionContextType,
} from 'discord.js';
import { defined } from '../../../base/defined.ts';
import type { Given } from '../../../command/option.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { type Caller, type Place, roleKey } from '../../../command/place.ts';
import { attachmentRef } from './photo-ref.ts';

/** Reads Discord's interactions as the desk's caller, place, options and photos. All functions here are pure. */

/** An interaction that this process has received. */
export type Arrived<Interaction extends APIInteraction = APIInteraction> = Interaction & {
  readonly arrivedAt: number;
  /** Discord replayed the interaction after a lost connection, so a process that died may have handled it before. */
  readonly isRepeated: boolean;
};

export function readCaller(interaction: APIInteraction): Caller {
  const user = interaction.member?.user ?? interaction.user;
  return {
    platform: 'discord',
    id: user?.id ?? '0',
    name: user?.global_name ?? user?.username ?? '?',
    locale: ('locale' in interaction ? interaction.locale : undefined) ?? 'en',
  };
}

/** The desk's id for the event of an interaction. */
export const eventOf = (id: string): string => `discord:${id}`;

const isDirect = ({ guild_id, context = InteractionContextType.BotDM }: APIInteraction): boolean =>
  guild_id === undefined && context === InteractionContextType.BotDM;

/** Whether the server has installed the bot. If only the user has, the server's aliases and settings do not apply. */
export function isInstalledByServer(interaction: APIInteraction): boolean {
  if (interaction.guild_id === undefined) return isDirect(interaction);
  const owners: Readonly<Record<number, string>> = interaction.authorizing_integration_owners ?? {};
  const byServer = owners[ApplicationIntegrationType.GuildInstall];
  const byPerson = owners[ApplicationIntegrationType.UserInstall];
  return byServer === interaction.guild_id || (byServer === undefined && byPerson === undefined);
}

/** The caller's roles at this moment; none in a server that has not installed the bot. */
export const readRoles = (interaction: APIInteraction): readonly string[] =>
  isInstalledByServer(interaction) ? (interaction.member?.roles ?? []) : [];

/** The id of the server whose community this place belongs to; undefined for direct messages. */
export const serverOf = ({ community }: Place): string | undefined => /^discord:(\d+)$/.exec(community)?.[1];

/** The channel of the thread in which the interaction happened; undefined outside threads. */
export function parentOf({ channel }: APIInteraction): string | undefined {
  const parent = channel !== undefined && 'thread_metadata' in channel ? channel.parent_id : undefined;
  return parent ?? undefined;
}

export function readPlace(interaction: APIInteraction): Place {
  const guild = isInstalledByServer(interaction) ? interaction.guild_id : undefined;
  return {
    platform: 'discord',
    community: guild === undefined ? `discord:dm:${readCaller(interaction).id}` : `discord:${guild}`,
    channel: interaction.channel?.id ?? interaction.channel_id ?? '',
    ...defined({ parent: parentOf(interaction) }),
    direct: isDirect(interaction),
  };
}

const ACCEPTED_TYPES = new Set(['image/jpeg', 'image/jpg', 'image/png', 'image/apng', 'image/webp']);
/** The content type that clients send for a file of unknown type. */
const UNKNOWN_TYPE = 'application/octet-stream';
const ACCEPTED_EXTENSION = /\.(jpe?g|jfif|png|webp)$/i;
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_PIXELS = 40_000_000;

/** Whether the file can be a photo, by Discord's description of it; the bytes are checked when the file is fetched. */
function isUsable(file: APIAttachment): boolean {
  const type = file.content_type?.split(';', 1)[0]?.trim().toLowerCase();
  const typed =
    type === undefined
      ? ACCEPTED_EXTENSION.test(file.filename)
      : type === UNKNOWN_TYPE || ACCEPTED_TYPES.has(type);
  return typed && (file.size ?? 0) <= MOST_BYTES && (file.width ?? 0) * (file.height ?? 0) <= MOST_PIXELS;
}

export const isSpoiler = (file: Pick<APIAttachment, 'filename' | 'flags'>): boolean =>
  file.filename.startsWith('SPOILER_') || ((file.flags ?? 0) & AttachmentFlags.IsSpoiler) !== 0;

/** Reads an attachment as a photo; `unusable` if it can be refused without fetching it. */
export function readAttachment(file: APIAttachment): PhotoRef | 'unusable' {
  if (!isUsable(file)) return 'unusable';
  const ref = attachmentRef({ url: file.url, id: file.id });
  return { from: 'discord', ref, ...(isSpoiler(file) ? { spoiler: true } : {}) };
}

type Options = readonly APIApplicationCommandInteractionDataOption[] | undefined;
type Resolved = Pick<APIInteractionDataResolved, 'attachments' | 'roles'> | undefined;

/** Reads subcommand and options. `unusable`: the name of an option whose photo cannot be used. */
export function readOptions(
  options: Options,
  resolved: Resolved,
): { readonly subcommand?: string; readonly given: Given; readonly unusable?: string } {
  const [first] = options ?? [];
  if (first?.type === ApplicationCommandOptionType.Subcommand)
    return { ...readOptions(first.options, resolved), subcommand: first.name };
  const given: Record<string, Given[string]> = {};
  let unusable: string | undefined;
  for (const option of options ?? []) {
    if (!('value' in option)) continue;
    if (option.type !== ApplicationCommandOptionType.Attachment) {
      const isRole =
        option.type === ApplicationCommandOptionType.Mentionable &&
        resolved?.roles?.[option.value] !== undefined;
      given[option.name] = isRole ? roleKey(option.value) : option.value;
      continue;
    }
    const file = resolved?.attachments?.[option.value];
    const photo = file === undefined ? 'unusable' : readAttachment(file);
    if (photo === 'unusable') unusable ??= option.name;
    else given[option.name] = photo;
  }
  return { given, ...defined({ unusable }) };
}

/** Reads which option the person is typing, and the text so far. */
export function readFocused(
  options: Options,
): { readonly option: string; readonly typed: string } | undefined {
  for (const option of options ?? []) {
    if (option.type === ApplicationCommandOptionType.Subcommand) return readFocused(option.options);
    if ('focused' in option && option.focused === true)
      return { option: option.name, typed: String(option.value) };
  }
  return undefined;
}
