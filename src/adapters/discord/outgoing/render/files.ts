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

function addressOf(name: string): { url: string } {
  return { url: `attachment://${name}` };
}

function safeName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '_').slice(-80) || 'result';
}

/** Shares the memory: a video can be large. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Discord refuses an empty one. */
function describedBy(alt: string): { description?: string } {
  const description = shorten(alt, ALT_LIMIT);
  return description === '' ? {} : { description };
}

export function newFile(media: Exclude<Media, { kind: 'link' }>, spoiler: boolean): RenderedFile {
  const filename = safeName(media.name);
  const alt = describedBy(media.alt);
  return {
    shown:
      media.as === 'file'
        ? { type: ComponentType.File, file: addressOf(filename), spoiler }
        : { type: ComponentType.MediaGallery, items: [{ media: addressOf(filename), spoiler, ...alt }] },
    attachment: { id: '0', filename, is_spoiler: spoiler, ...alt },
    upload: { name: filename, data: asBuffer(media.bytes), contentType: media.type },
  };
}

/** A file that the message has already. */
export interface KeptFile {
  readonly id: string;
  readonly url: string;
  readonly hidden: boolean;
  readonly alt?: string;
}

export function keptFile({ id, url, hidden, alt = '' }: KeptFile): RenderedFile {
  // Discord finds a file that stays by its name only if that is given next to its id.
  const filename = new URL(url).pathname.split('/').at(-1) ?? '';
  const description = describedBy(alt);
  return {
    shown: {
      type: ComponentType.MediaGallery,
      items: [{ media: addressOf(filename), spoiler: hidden, ...description }],
    },
    attachment: { id, filename, is_spoiler: hidden, ...description },
  };
}
