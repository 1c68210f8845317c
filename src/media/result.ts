import sharp, { type Sharp } from 'sharp';
import type { Media } from '../command/view.ts';
import type { Downloads } from './download.ts';
import { pixels, pixelsOf } from './pixels.ts';
import { provenanceXmp, tagPng, tagVideo } from './provenance.ts';
import { isCalledVideo, photoType, videoType } from './sniff.ts';
import { isWholePng } from './whole-png.ts';

/** What the platform can carry: bytes shown in the message, bytes offered as a file. */
export interface Room {
  readonly imageBytes: number;
  readonly fileBytes: number;
  readonly videoBytes: number;
}

export interface Dress {
  readonly name: string;
  readonly alt: string;
  readonly spoiler: boolean;
  /** What a link to a video that is too large is called. */
  readonly linkLabel: string;
}

const mostPixels = 100_000_000;
/** The provenance box comes on top of what was downloaded. */
const tagRoom = 2048;

/** A picture that is read and written again, when its turn has come. */
const decoded = async (
  bytes: Uint8Array,
  write: (picture: Sharp, width: number) => Promise<Buffer>,
): Promise<Buffer> => {
  const picture = sharp(bytes, { limitInputPixels: mostPixels });
  const { width, height } = await pixels(() => picture.metadata());
  return pixelsOf(width * height)(() => write(picture, width));
};

const jpeg = (png: Uint8Array, quality: number, scale: number): Promise<Buffer> =>
  decoded(png, (picture, width) =>
    picture
      .resize({ width: Math.max(1, Math.round(width * scale)) })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, chromaSubsampling: '4:4:4' })
      .withXmp(provenanceXmp)
      .toBuffer(),
  );

/**
 * The picture itself if it fits, else re-encoded, else the picture as a file, else smaller until it does; `unusable`
 * when it cannot be read, which no further try will change.
 */
export const fitPicture = (picture: Uint8Array, room: Room, dress: Dress): Promise<Media | 'unusable'> =>
  fitted(picture, room, dress).catch(() => 'unusable');

/** Upright, because what comes of it carries no note of how it is to be turned. */
const toPng = (picture: Uint8Array): Promise<Uint8Array> =>
  decoded(picture, (read) => read.rotate().png().toBuffer());

const fitted = async (picture: Uint8Array, room: Room, dress: Dress): Promise<Media> => {
  const isPng = photoType(picture) === 'image/png' && isWholePng(picture, mostPixels);
  const png = isPng ? picture : await toPng(picture);

  const media = (bytes: Uint8Array, type: 'png' | 'jpg', as: 'inline' | 'file'): Media => ({
    kind: 'image',
    bytes,
    type: type === 'png' ? 'image/png' : 'image/jpeg',
    name: `${dress.name}.${type}`,
    as,
    spoiler: dress.spoiler,
    alt: dress.alt,
  });

  const tagged = tagPng(png);
  if (tagged.length <= room.imageBytes) return media(tagged, 'png', 'inline');
  const fine = await jpeg(png, 92, 1);
  if (fine.length <= room.imageBytes) return media(fine, 'jpg', 'inline');
  if (tagged.length <= room.fileBytes) return media(tagged, 'png', 'file');
  for (let scale = 1; ; scale /= 2) {
    const smaller = await jpeg(png, 80, scale);
    if (smaller.length <= room.imageBytes || scale < 0.05) return media(smaller, 'jpg', 'inline');
  }
};

/** The video itself if it fits, else a link to it; `unusable` when it is no video or lies where we do not go. */
export const fitVideo = async (
  url: string,
  room: Room,
  dress: Dress,
  downloads: Downloads,
  signal: AbortSignal,
): Promise<Media | 'unusable'> => {
  if (!downloads.mayLink(url)) return 'unusable';
  const got = await downloads.get(url, room.videoBytes - tagRoom, signal);
  if (got === 'too-large') return { kind: 'link', url, label: dress.linkLabel, spoiler: dress.spoiler };
  const { bytes } = got;
  const type = videoType(bytes);
  if (type === undefined && !isCalledVideo(bytes, got.type, url)) return 'unusable';
  return {
    kind: 'video',
    bytes: tagVideo(bytes, type),
    type: type ?? 'video/mp4',
    name: `${dress.name}.${type === 'video/webm' ? 'webm' : 'mp4'}`,
    as: 'inline',
    spoiler: dress.spoiler,
    alt: dress.alt,
  };
};
