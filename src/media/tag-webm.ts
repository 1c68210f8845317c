import { extend } from './extend.ts';

/** Adds tags to a WebM (or Matroska) video: one more element in its segment, whose length is updated. */

const segmentId = Buffer.from('18538067', 'hex');

interface Size {
  readonly value: number;
  /** Bytes of the size field. */
  readonly width: number;
  readonly isUnknown: boolean;
}

/** The first set bit gives the number of bytes; all ones means "to the end". */
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

/** Positions inside a segment count from its content, so a wider length field moves none of them. */
export function tagWebm(webm: Uint8Array, texts: Readonly<Record<string, string>>, spareBytes = 0): Buffer {
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
  if (size.isUnknown) {
    const open = extend(bytes, added.length, spareBytes);
    added.copy(open, bytes.length);
    return open;
  }
  const content = segment + segmentId.length + size.width;
  const end = Math.min(bytes.length, content + size.value);
  const wide = wideSize(end - content + added.length);
  const moved = wide.length - size.width;
  const tagged = extend(bytes, moved + added.length, spareBytes);
  // From the end, so that nothing is overwritten before it is moved.
  tagged.copyWithin(end + moved + added.length, end, bytes.length);
  tagged.copyWithin(content + moved, content, end);
  added.copy(tagged, end + moved);
  wide.copy(tagged, segment + segmentId.length);
  return tagged;
}
