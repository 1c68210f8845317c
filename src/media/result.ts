import type { DownloadLimits, Downloads } from '../base/network/download.ts';
import type { Media } from '../command/view.ts';
import type { Conversion } from '../picture/conversion.ts';
import type { Decoder } from '../picture/decoder.ts';
import { inspectPicture } from '../picture/inspect.ts';
import { PictureRefused } from '../picture/structure.ts';
import { tagPicture } from './provenance/tag-picture.ts';
import { tagVideo } from './provenance/tag-video.ts';
import { PROVENANCE_XMP, TAG_BYTES } from './provenance/xmp.ts';
import { isDeclaredVideo, videoType } from './sniff.ts';

/** A platform's size limits, for media shown in the message or attached as a file. */
export interface ResultLimits {
  readonly imageBytes: number;
  readonly fileBytes: number;
  readonly videoBytes: number;
  /** People can save a file exactly as it was sent. */
  readonly keepsFiles?: true;
}

export interface ResultOptions {
  readonly name: string;
  readonly alt: string;
  readonly spoiler: boolean;
  /** The label of the link to a video that is too large. */
  readonly linkLabel: string;
  /** Set after the platform has refused the result: a picture is then encoded anew and smaller, a video becomes a link. */
  readonly isPlain?: boolean;
  /** Whether the visible mark is drawn into a picture, which is decoded for that. */
  readonly hasMark: boolean;
}

const MAX_PIXELS = 100_000_000;
const PLAIN_SIDE = 1280;

export interface PictureReader {
  readonly decoder: Decoder;
  readonly person: string;
}

/**
 * Makes a picture fit into a platform's limits: unchanged if it fits and gets no visible mark, else re-encoded, else as a file, else reduced until it
 * fits. `unusable` if it can never be read.
 */
export const fitPicture = (...given: Parameters<typeof fitted>): Promise<Media | 'unusable'> =>
  fitted(...given).catch((error: unknown) => {
    if (error instanceof PictureRefused) return 'unusable';
    throw error;
  });

async function fitted(
  picture: Uint8Array,
  limits: ResultLimits,
  options: ResultOptions,
  { decoder, person }: PictureReader,
): Promise<Media> {
  const original = inspectPicture(picture, MAX_PIXELS);
  const convert = (bytes: Uint8Array, how: Pick<Conversion, 'longestSide' | 'to' | 'xmp' | 'hasMark'>) =>
    decoder.convert(bytes, { maxPixels: MAX_PIXELS, failOn: 'warning', ...how }, person);
  const { hasMark } = options;
  const isUsable = !hasMark && original.type === 'image/png' && original.isWhole && !original.isAnimated;
  const png = isUsable ? picture : await convert(picture, { to: { format: 'png' }, hasMark });
  const pngSize = isUsable ? original : inspectPicture(png, MAX_PIXELS);
  const jpeg = (quality: number, scale: number) =>
    convert(png, {
      longestSide: Math.max(1, Math.round(Math.max(original.width, original.height) * scale)),
      to: { format: 'jpeg', quality },
      xmp: PROVENANCE_XMP,
    });

  const media = { kind: 'image', spoiler: options.spoiler, alt: options.alt } as const;
  const asPng = (bytes: Uint8Array, as: 'inline' | 'file'): Media => {
    const { width, height } = pngSize;
    const original = isUsable && limits.keepsFiles ? ({ isOriginal: true } as const) : {};
    return {
      ...media,
      ...original,
      bytes,
      type: 'image/png',
      name: `${options.name}.png`,
      as,
      width,
      height,
    };
  };
  const asJpeg = (bytes: Uint8Array): Media => {
    const { type, width, height } = inspectPicture(bytes, MAX_PIXELS);
    return { ...media, bytes, type, name: `${options.name}.jpg`, as: 'inline', width, height };
  };

  if (options.isPlain) return asJpeg(await jpeg(80, PLAIN_SIDE / Math.max(original.width, original.height)));
  const tagged = tagPicture(png);
  if (tagged.length <= limits.imageBytes) return asPng(tagged, 'inline');
  const fine = await jpeg(92, 1);
  if (fine.length <= limits.imageBytes) return asJpeg(fine);
  if (tagged.length <= limits.fileBytes) return asPng(tagged, 'file');
  for (let scale = 1; ; scale /= 2) {
    const smaller = await jpeg(80, scale);
    if (smaller.length <= limits.imageBytes || scale < 0.05) return asJpeg(smaller);
  }
}

/** A link in place of a video. */
export const linkTo = (url: string, { linkLabel, spoiler }: ResultOptions): Media => ({
  kind: 'link',
  url,
  label: linkLabel,
  spoiler,
});

/**
 * Downloads a video that fits into a platform's limits, or returns a link to it. `unusable` if it is no video or its address is
 * not allowed.
 */
export async function fitVideo(
  url: string,
  limits: ResultLimits,
  options: ResultOptions,
  downloads: Downloads,
  reserve?: DownloadLimits['reserve'],
): Promise<Media | 'unusable'> {
  if (!downloads.mayLink(url)) return 'unusable';
  if (options.isPlain) return linkTo(url, options);
  const maxBytes = limits.videoBytes - TAG_BYTES;
  const got = await downloads.get(url, { maxBytes, reserve });
  if (got === 'too-large') return linkTo(url, options);
  const { bytes } = got;
  const type = videoType(bytes);
  if (type === undefined && !isDeclaredVideo(bytes, got.type, url)) return 'unusable';
  return {
    kind: 'video',
    bytes: tagVideo(bytes, type),
    type: type ?? 'video/mp4',
    name: `${options.name}.${type === 'video/webm' ? 'webm' : 'mp4'}`,
    as: 'inline',
    spoiler: options.spoiler,
    alt: options.alt,
    ...(limits.keepsFiles ? { isOriginal: true } : {}),
  };
}
