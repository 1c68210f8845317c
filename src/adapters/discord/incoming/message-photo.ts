import type { APIAttachment, APIMessage } from 'discord.js';
import { z } from 'zod';
import { photoFromLink } from '../../../command/link.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { readAttachment } from '../api/interaction.ts';
import { attachmentRef, type HostCheck } from '../api/photo-ref.ts';

/** Finds the picture of any message. Discord leaves out fields that a message does not have. */

type Part = Partial<Pick<APIMessage, 'content' | 'attachments' | 'embeds' | 'components'>>;

interface ShownImage {
  readonly url: string;
  readonly hidden: boolean;
}

function isPicture({ content_type: type }: APIAttachment): boolean {
  return type?.startsWith('image/') === true;
}

/** Discord hides a URL between two pairs of bars, and its preview. */
function spoilerText({ content = '' }: Part): string {
  return (content.match(/\|\|.+?\|\|/gs) ?? []).join('\n');
}

function embedImages(part: Part): readonly ShownImage[] {
  const spoilers = spoilerText(part);
  return (part.embeds ?? []).flatMap(({ url, image, thumbnail }) => {
    const addresses = [image?.url, thumbnail?.url].filter((each) => each !== undefined);
    const hidden = [...addresses, url ?? ''].some((each) => each !== '' && spoilers.includes(each));
    return addresses.map((each) => ({ url: each, hidden }));
  });
}

const media = z.object({ url: z.string(), content_type: z.string().nullish() });
/** A gallery's item, a thumbnail or a file; containers and sections hold more of them. */
const component = z.object({
  media: media.nullish().catch(undefined),
  file: media.nullish().catch(undefined),
  spoiler: z.boolean().nullish().catch(undefined),
  items: z.array(z.unknown()).nullish().catch(undefined),
  components: z.array(z.unknown()).nullish().catch(undefined),
  accessory: z.unknown().optional(),
});

/** For messages made of components. Discord nests them at most three deep. */
function componentImages(all: readonly unknown[], hidden = false, depth = 0): readonly ShownImage[] {
  if (depth > 4) return [];
  return all.flatMap((each): readonly ShownImage[] => {
    const read = component.safeParse(each).data;
    if (read === undefined) return [];
    const isHidden = hidden || read.spoiler === true;
    const own = read.media ?? read.file;
    const inside = [...(read.items ?? []), ...(read.components ?? []), read.accessory];
    const isImage = own?.content_type?.startsWith('image/') ?? true;
    return [
      ...(own && isImage ? [{ url: own.url, hidden: isHidden }] : []),
      ...componentImages(inside, isHidden, depth + 1),
    ];
  });
}

/**
 * Its attachment, that of a forwarded message, or the preview of a URL or component. `unusable`: there are pictures, but
 * none that is accepted.
 */
export function readMessagePhoto(
  message: Part & Pick<APIMessage, 'message_snapshots'>,
  isAllowedHost: HostCheck,
): PhotoRef | 'unusable' | undefined {
  const parts: readonly Part[] = [message, ...(message.message_snapshots ?? []).map((each) => each.message)];
  const files = parts.flatMap((part) => part.attachments ?? []);
  for (const file of files) {
    const photo = readAttachment(file);
    if (photo !== 'unusable') return photo;
  }
  const images = parts.flatMap((part) => [...embedImages(part), ...componentImages(part.components ?? [])]);
  for (const { url, hidden } of images) {
    const spoiler = hidden ? { spoiler: true } : {};
    if (isAllowedHost(url)) return { from: 'discord', ref: attachmentRef({ url }), ...spoiler };
    const link = photoFromLink(url);
    if (link !== undefined) return { ...link, ...spoiler };
  }
  return files.some(isPicture) ? 'unusable' : undefined;
}
