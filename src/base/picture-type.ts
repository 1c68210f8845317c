/** The types of pictures that the program accepts. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp';

/** The number of bytes that suffice to recognise a picture's type. */
export const SIGNATURE_LENGTH = 12;

/** Detects a picture's type from its first bytes; its name and declared type are chosen by the sender. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, SIGNATURE_LENGTH));
  if (beginning.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (beginning.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  return beginning.startsWith('RIFF') && beginning.startsWith('WEBP', 8) ? 'image/webp' : undefined;
}
