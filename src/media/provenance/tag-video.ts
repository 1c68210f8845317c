import { PROVENANCE_XMP, SOURCE_TYPE } from './xmp.ts';

/** This file marks videos as AI-generated in the file itself, without decoding them. */

const segmentId = Buffer.from('18538067', 'hex');

interface Size {
  readonly value: number;
  /** The length of the size field in bytes. */
  readonly width: number;
  readonly isUnknown: boolean;
}

/** Reads a size of WebM (EBML): the first set bit gives the number of bytes, and all ones mean "to the end". */
function readSize(bytes: Buffer, at: number): Size | undefined {
  const width = Math.clz32(bytes[at] ?? 0) - 23;
  if (width > 8 || at + width > bytes.length) return undefined;
  let value = (bytes[at] ?? 0) - 2 ** (8 - width);
  for (let more = 1; more < width; more += 1) value = value * 256 + (bytes[at + more] ?? 0);
  return { value, width, isUnknown: value >= 2 ** (7 * width) - 1 };
}

function wideSize(value: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(value));
  size[0] = 1;
  return size;
}

function element(id: string, ...content: readonly Buffer[]): Buffer {
  const data = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, 'hex'), wideSize(data.length), data]);
}

/**
 * Adds an element to the segment of a WebM file. Positions count from the segment's content, so a wider length field changes
 * none of them.
 */
function tagWebm(webm: Uint8Array, texts: Readonly<Record<string, string>>): Buffer {
  const bytes = Buffer.from(webm.buffer, webm.byteOffset, webm.byteLength);
  const header = readSize(bytes, 4);
  const segment = 4 + (header?.width ?? 0) + (header?.value ?? 0);
  const size = readSize(bytes, segment + segmentId.length);
  if (size === undefined || !bytes.subarray(segment).subarray(0, segmentId.length).equals(segmentId))
    return bytes;
  const targets = element('63c0');
  const tags = Object.entries(texts).map(([name, text]) =>
    element('67c8', element('45a3', Buffer.from(name)), element('4487', Buffer.from(text))),
  );
  const added = element('1254c367', element('7373', targets, ...tags));
  if (size.isUnknown) return Buffer.concat([bytes, added]);
  const content = segment + segmentId.length + size.width;
  const end = Math.min(bytes.length, content + size.value);
  return Buffer.concat([
    bytes.subarray(0, segment + segmentId.length),
    wideSize(end - content + added.length),
    bytes.subarray(content, end),
    added,
    bytes.subarray(end),
  ]);
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

/** The `uuid` of XMP boxes in MP4 files; players skip boxes that they do not know. */
const xmpBox = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

interface Box {
  readonly at: number;
  readonly type: string;
  /** 0: up to the end of the file. */
  readonly size: number;
}

/** Even a long film that is made for streaming has fewer. */
const MOST_BOXES = 10_000;

/** The boxes of the outermost level, as far as they make sense. */
function* boxesOf(mp4: Buffer): Generator<Box> {
  for (let at = 0, count = 0; at + 16 <= mp4.length && count < MOST_BOXES; count += 1) {
    const short = mp4.readUInt32BE(at);
    const size = short === 1 ? Number(mp4.readBigUInt64BE(at + 8)) : short;
    const type = mp4.toString('latin1', at + 4, at + 8);
    if (size !== 0 && size < 8) return;
    if (size === 0 && !/^[\w ]{4}$/.test(type)) return;
    yield { at, type, size };
    if (size === 0) return;
    at += size;
  }
}

/** Appends the mark, because positions within the file must stay. XMP that the file had becomes a box that players skip. */
function tagMp4(mp4: Uint8Array): Buffer {
  const xmp = Buffer.from(PROVENANCE_XMP, 'utf8');
  const box = Buffer.concat([uint32(8 + xmpBox.length + xmp.length), Buffer.from('uuid'), xmpBox, xmp]);
  const tagged = Buffer.concat([mp4, box]);
  for (const { at, type, size } of boxesOf(tagged.subarray(0, mp4.length))) {
    if (size === 0) tagged.writeUInt32BE(mp4.length - at, at);
    if (type === 'uuid' && tagged.subarray(at + 8, at + 8 + xmpBox.length).equals(xmpBox))
      tagged.write('free', at + 4);
  }
  return tagged;
}

/** Marks a video as AI-generated; one of unknown type is returned unchanged. */
export function tagVideo(video: Uint8Array, type: 'video/mp4' | 'video/webm' | undefined): Uint8Array {
  if (type === 'video/mp4') return tagMp4(video);
  if (type === undefined) return video;
  return tagWebm(video, { DESCRIPTION: 'AI-generated', DIGITAL_SOURCE_TYPE: SOURCE_TYPE });
}
