export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp';

/** Enough bytes to recognise a picture's type. */
export const SIGNATURE_LENGTH = 12;

/** Detected from the first bytes: the sender chooses name and declared type. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, SIGNATURE_LENGTH));
  if (beginning.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  return beginning.startsWith('RIFF') && beginning.startsWith('WEBP', 8) ? 'image/webp' : undefined;
}
