import { crc32 } from 'node:zlib';
import { extend } from './extend.ts';
import { tagWebm } from './tag-webm.ts';

const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

/**
 * Marks the file itself as AI-generated: XMP with the IPTC digital source type of media made by a trained model. Added
 * without decoding.
 */
export const PROVENANCE_XMP =
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" ' +
  'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Darkroom" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  `Iptc4xmpExt:DigitalSourceType="${SOURCE_TYPE}">` +
  '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">AI-generated</rdf:li></rdf:Alt></dc:description>' +
  '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

/** PNG signature (8) and IHDR chunk (4 + 4 + 13 + 4): where the first other chunk may start. */
const AFTER_HEADER = 33;

export function tagPng(png: Uint8Array): Buffer {
  const body = Buffer.concat([
    Buffer.from('iTXtXML:com.adobe.xmp\0\0\0\0\0', 'latin1'),
    Buffer.from(PROVENANCE_XMP, 'utf8'),
  ]);
  const chunk = Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))]);
  return Buffer.concat([png.subarray(0, AFTER_HEADER), chunk, png.subarray(AFTER_HEADER)]);
}

/** The `uuid` of XMP boxes in MP4 files; players skip boxes that they do not know. */
const xmpBox = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');

/** The position of the last box if its size is 0, which means up to the end of the file. */
function openBox(mp4: Buffer): number | undefined {
  for (let at = 0; at + 16 <= mp4.length; ) {
    const short = mp4.readUInt32BE(at);
    const size = short === 1 ? Number(mp4.readBigUInt64BE(at + 8)) : short;
    if (size === 0) return /^[\w ]{4}$/.test(mp4.toString('latin1', at + 4, at + 8)) ? at : undefined;
    if (size < 8) return undefined;
    at += size;
  }
  return undefined;
}

function tagMp4(mp4: Uint8Array, spareBytes: number): Buffer {
  const xmp = Buffer.from(PROVENANCE_XMP, 'utf8');
  const box = Buffer.concat([uint32(8 + xmpBox.length + xmp.length), Buffer.from('uuid'), xmpBox, xmp]);
  const tagged = extend(mp4, box.length, spareBytes);
  box.copy(tagged, mp4.length);
  const open = openBox(tagged.subarray(0, mp4.length));
  if (open !== undefined) tagged.writeUInt32BE(mp4.length - open, open);
  return tagged;
}

/** A video of unknown type is left as it is. With enough `spareBytes` free behind it, it is changed in place. */
export function tagVideo(
  video: Uint8Array,
  type: 'video/mp4' | 'video/webm' | undefined,
  spareBytes = 0,
): Uint8Array {
  if (type === 'video/mp4') return tagMp4(video, spareBytes);
  if (type === undefined) return video;
  return tagWebm(video, { DESCRIPTION: 'AI-generated', DIGITAL_SOURCE_TYPE: SOURCE_TYPE }, spareBytes);
}
