import type { Media } from '../command/view.ts';
import type { Conversion } from '../picture/conversion.ts';
import type { Decoder } from '../picture/decoder.ts';
import { inspectPicture } from '../picture/inspect.ts';
import { PictureRefused } from '../picture/refused.ts';
import type { DownloadLimits, Downloads } from './download.ts';
import { provenanceXmp, tagPng, tagVideo } from './provenance.ts';
import { isCalledVideo, videoType } from './sniff.ts';

/** What the platform can carry: bytes shown in the message, bytes offered as a file. */
export interface Room {
  readonly imageBytes: number;
  readonly fileBytes: number;
  readonly videoBytes: number;
}

export interface ResultOptions {
  readonly name: string;
  readonly alt: string;
  readonly spoiler: boolean;
  /** What a link to a video that is too large is called. */
  readonly linkLabel: string;
}

const mostPixels = 100_000_000;
/** The provenance box comes on top of what was downloaded. */
const tagRoom = 2048;

/** Who reads pictures, and for whom. */
export interface PictureReader {
  readonly decoder: Decoder;
  readonly person: string;
}

/**
 * The picture itself if it fits, else re-encoded, else the picture as a file, else smaller until it does; `unusable`
 * when it cannot be read, which no further try will change.
 */
export const fitPicture = async (
  picture: Uint8Array,
  room: Room,
  options: ResultOptions,
  reader: PictureReader,
): Promise<Media | 'unusable'> => {
  try {
    return await fitted(picture, room, options, reader);
  } catch (error) {
    if (error instanceof PictureRefused) return 'unusable';
    throw error;
  }
};

const fitted = async (
  picture: Uint8Array,
  room: Room,
  options: ResultOptions,
  { decoder, person }: PictureReader,
): Promise<Media> => {
  const { type, width, height, isWhole } = inspectPicture(picture, mostPixels);
  const convert = (bytes: Uint8Array, how: Pick<Conversion, 'longestSide' | 'to' | 'xmp'>) =>
    decoder.convert(bytes, { maxPixels: mostPixels, failOn: 'warning', ...how }, person);
  const png = type === 'image/png' && isWhole ? picture : await convert(picture, { to: { format: 'png' } });
  const jpeg = (quality: number, scale: number) =>
    convert(png, {
      longestSide: Math.max(1, Math.round(Math.max(width, height) * scale)),
      to: { format: 'jpeg', quality },
      xmp: provenanceXmp,
    });

  const media = (bytes: Uint8Array, type: 'png' | 'jpg', as: 'inline' | 'file'): Media => ({
    kind: 'image',
    bytes,
    type: type === 'png' ? 'image/png' : 'image/jpeg',
    name: `${options.name}.${type}`,
    as,
    spoiler: options.spoiler,
    alt: options.alt,
  });

  const tagged = tagPng(png);
  if (tagged.length <= room.imageBytes) return media(tagged, 'png', 'inline');
  const fine = await jpeg(92, 1);
  if (fine.length <= room.imageBytes) return media(fine, 'jpg', 'inline');
  if (tagged.length <= room.fileBytes) return media(tagged, 'png', 'file');
  for (let scale = 1; ; scale /= 2) {
    const smaller = await jpeg(80, scale);
    if (smaller.length <= room.imageBytes || scale < 0.05) return media(smaller, 'jpg', 'inline');
  }
};

export const linkTo = (url: string, { linkLabel, spoiler }: ResultOptions): Media => ({
  kind: 'link',
  url,
  label: linkLabel,
  spoiler,
});

/** The video itself if it fits, else a link to it; `unusable` when it is no video or lies where we do not go. */
export const fitVideo = async (
  url: string,
  room: Room,
  options: ResultOptions,
  downloads: Downloads,
  reserve?: DownloadLimits['reserve'],
): Promise<Media | 'unusable'> => {
  if (!downloads.mayLink(url)) return 'unusable';
  const maxBytes = room.videoBytes - tagRoom;
  const got = await downloads.get(url, { maxBytes, reserve, spareBytes: tagRoom });
  if (got === 'too-large') return linkTo(url, options);
  const { bytes } = got;
  const type = videoType(bytes);
  if (type === undefined && !isCalledVideo(bytes, got.type, url)) return 'unusable';
  return {
    kind: 'video',
    bytes: tagVideo(bytes, type, got.spareBytes),
    type: type ?? 'video/mp4',
    name: `${options.name}.${type === 'video/webm' ? 'webm' : 'mp4'}`,
    as: 'inline',
    spoiler: options.spoiler,
    alt: options.alt,
  };
};
