import type { APIAttachment, APIMessage } from 'discord.js';
import { photoFromLink } from '../../../command/link.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { readAttachment } from '../payloads/interaction.ts';
import { filesIn } from '../payloads/message-parts.ts';
import { attachmentRef, type HostCheck } from '../payloads/photo-ref.ts';

/** Finds the pictures of any message, for commands in the menu of messages. */

/** A message or forwarded message. Discord leaves out fields that a message does not have. */

type Part = Partial<Pick<APIMessage, 'content' | 'attachments' | 'embeds' | 'components'>>;

interface ShownImage {
  readonly url: string;
  readonly hidden: boolean;
}

const isPicture = ({ content_type: type }: APIAttachment): boolean => type?.startsWith('image/') === true;

/** The text between pairs of bars (`||`), where Discord hides a URL together with its preview. */
const spoilerText = ({ content = '' }: Part): string => (content.match(/\|\|.+?\|\|/gs) ?? []).join('\n');

/** The pictures of the message's link previews, by preview: all addresses of one preview show one picture. */
function embedImages(part: Part): readonly (readonly ShownImage[])[] {
  const spoilers = spoilerText(part);
  return (part.embeds ?? []).map(({ url, image, thumbnail }) => {
    const addresses = [image?.url, thumbnail?.url].filter((each) => each !== undefined);
    const hidden = [...addresses, url ?? ''].some((each) => each !== '' && spoilers.includes(each));
    return addresses.map((each) => ({ url: each, hidden }));
  });
}

/** The pictures in components, for messages that are made of them. */
function componentImages({ components }: Part): readonly (readonly ShownImage[])[] {
  return filesIn(components).flatMap((file) =>
    (file.type ?? 'image/').startsWith('image/') ? [[file]] : [],
  );
}

/**
 * Reads the photos of a message: its attachments and those of a forwarded message, or, without any, the pictures of link
 * previews and components. `unusable`: the message has pictures, but none that is accepted.
 */
export function readMessagePhotos(
  message: Part & Pick<APIMessage, 'message_snapshots'>,
  isAllowedHost: HostCheck,
): readonly PhotoRef[] | 'unusable' {
  const parts: readonly Part[] = [message, ...(message.message_snapshots ?? []).map((each) => each.message)];
  const files = parts.flatMap((part) => part.attachments ?? []);
  const attached = files.map(readAttachment).filter((photo) => photo !== 'unusable');
  if (attached.length > 0) return attached;
  const readImage = ({ url, hidden }: ShownImage): PhotoRef | undefined => {
    const spoiler = hidden ? { spoiler: true } : {};
    if (isAllowedHost(url)) return { from: 'discord', ref: attachmentRef({ url }), ...spoiler };
    const link = photoFromLink(url);
    return link && { ...link, ...spoiler };
  };
  const images = parts.flatMap((part) => [...embedImages(part), ...componentImages(part)]);
  const shown = images.flatMap((each) => each.map(readImage).find((photo) => photo !== undefined) ?? []);
  return shown.length === 0 && files.some(isPicture) ? 'unusable' : shown;
}
