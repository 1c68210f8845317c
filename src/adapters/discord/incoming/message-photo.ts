import type { APIAttachment, APIEmbed, APIMessage, APIMessageTopLevelComponent } from 'discord.js';
import { z } from 'zod';
import { photoFromLink } from '../../../command/link.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { readAttachment } from '../api/interaction.ts';
import { attachmentRef, type HostCheck } from '../api/photo-ref.ts';

/** The picture of any message, whoever wrote it: Discord leaves out what a message does not have. */

interface Part {
  readonly content?: string | undefined;
  readonly attachments?: readonly APIAttachment[] | undefined;
  readonly embeds?: readonly APIEmbed[] | undefined;
  readonly components?: readonly APIMessageTopLevelComponent[] | undefined;
}

interface Shown {
  readonly url: string;
  readonly hidden: boolean;
}

const isPicture = ({ content_type: type }: APIAttachment): boolean => type?.startsWith('image/') === true;

/** An address between two pairs of bars is hidden, and so is what Discord shows of it. */
const hiddenIn = ({ content = '' }: Part): string => (content.match(/\|\|.+?\|\|/gs) ?? []).join('\n');

const shownByEmbeds = (part: Part): readonly Shown[] => {
  const hiddenText = hiddenIn(part);
  return (part.embeds ?? []).flatMap(({ url, image, thumbnail }) => {
    const addresses = [image?.url, thumbnail?.url].filter((each) => each !== undefined);
    const hidden = [...addresses, url ?? ''].some((each) => each !== '' && hiddenText.includes(each));
    return addresses.map((each) => ({ url: each, hidden }));
  });
};

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

/** Messages made of components alone show their pictures there. Discord nests them three deep at the most. */
const shownByComponents = (all: readonly unknown[], hidden = false, depth = 0): readonly Shown[] => {
  if (depth > 4) return [];
  return all.flatMap((each): readonly Shown[] => {
    const read = component.safeParse(each).data;
    if (read === undefined) return [];
    const hides = hidden || read.spoiler === true;
    const own = read.media ?? read.file;
    const inside = [...(read.items ?? []), ...(read.components ?? []), read.accessory];
    const isImage = own?.content_type?.startsWith('image/') ?? true;
    return [
      ...(own && isImage ? [{ url: own.url, hidden: hides }] : []),
      ...shownByComponents(inside, hides, depth + 1),
    ];
  });
};

/**
 * Its attachment, that of a forwarded message, or what an address or a component in it shows. `unusable`: there are
 * pictures, but none that we take.
 */
export const readMessagePhoto = (
  message: Part & Pick<APIMessage, 'message_snapshots'>,
  isOurHost: HostCheck,
): PhotoRef | 'unusable' | undefined => {
  const parts: readonly Part[] = [message, ...(message.message_snapshots ?? []).map((each) => each.message)];
  const files = parts.flatMap((part) => part.attachments ?? []);
  for (const file of files) {
    const photo = readAttachment(file);
    if (photo !== 'unusable') return photo;
  }
  const shown = parts.flatMap((part) => [
    ...shownByEmbeds(part),
    ...shownByComponents(part.components ?? []),
  ]);
  for (const { url, hidden } of shown) {
    const spoiler = hidden ? { spoiler: true } : {};
    if (isOurHost(url)) return { from: 'discord', ref: attachmentRef({ url }), ...spoiler };
    const link = photoFromLink(url);
    if (link !== undefined) return { ...link, ...spoiler };
  }
  return files.some(isPicture) ? 'unusable' : undefined;
};
