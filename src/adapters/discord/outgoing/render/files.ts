import { type APIComponentInContainer, ComponentType, type RawFile } from 'discord.js';
import { shorten } from '../../../../command/shorten.ts';
import type { Media } from '../../../../command/view.ts';

/** A message's file: how it is shown, and the attachment. Discord shows no attachment by itself. */
export interface RenderedFile {
  readonly shown: APIComponentInContainer;
  readonly attachment: {
    readonly id: string;
    readonly filename: string;
    readonly description?: string;
    readonly is_spoiler: boolean;
  };
  readonly upload?: RawFile;
}

const ALT_LIMIT = 1024;

const safeName = (name: string): string => name.replaceAll(/[^\w.-]/g, '_').slice(-80) || 'result';

/** Shares the memory: a video can be large. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A file that the message has already. */
export interface KeptFile {
  readonly id: string;
  readonly url: string;
  readonly hidden: boolean;
  readonly alt?: string;
}

function fileNamed(
  filename: string,
  { id, hidden: spoiler, alt = '' }: Omit<KeptFile, 'url'>,
  isAttached = false,
): RenderedFile {
  const media = { url: `attachment://${filename}` };
  const text = shorten(alt, ALT_LIMIT);
  // Discord refuses an empty one.
  const described = text === '' ? {} : { description: text };
  return {
    shown: isAttached
      ? { type: ComponentType.File, file: media, spoiler }
      : { type: ComponentType.MediaGallery, items: [{ media, spoiler, ...described }] },
    attachment: { id, filename, is_spoiler: spoiler, ...described },
  };
}

export function newFile(media: Exclude<Media, { kind: 'link' }>, hidden: boolean): RenderedFile {
  const name = safeName(media.name);
  return {
    ...fileNamed(name, { id: '0', hidden, alt: media.alt }, media.as === 'file'),
    upload: { name, data: asBuffer(media.bytes), contentType: media.type },
  };
}

/** Discord finds a file that stays by its name only if that is given next to its id. */
export const keptFile = (file: KeptFile): RenderedFile =>
  fileNamed(new URL(file.url).pathname.split('/').at(-1) ?? '', file);
