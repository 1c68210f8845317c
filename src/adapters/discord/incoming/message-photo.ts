import type { APIAttachment, APIMessage } from 'discord.js';
import { photoFromLink } from '../../../command/link.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { readAttachment } from '../api/interaction.ts';
import { filesIn } from '../api/message-parts.ts';
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

/** For messages made of components. */
function componentImages({ components }: Part): readonly ShownImage[] {
  return filesIn(components).filter(({ type = 'image/' }) => type.startsWith('image/'));
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
  const images = parts.flatMap((part) => [...embedImages(part), ...componentImages(part)]);
  for (const { url, hidden } of images) {
    const spoiler = hidden ? { spoiler: true } : {};
    if (isAllowedHost(url)) return { from: 'discord', ref: attachmentRef({ url }), ...spoiler };
    const link = photoFromLink(url);
    if (link !== undefined) return { ...link, ...spoiler };
  }
  return files.some(isPicture) ? 'unusable' : undefined;
}
