import sharp from 'sharp';

/**
 * Restricts sharp in a process that reads files from people: a disguised file reaches no other decoder than those of JPEG, PNG
 * and WebP. One picture is decoded at a time.
 */
export function decodeOnlyPhotos(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  });
  sharp.cache(false);
  sharp.concurrency(1);
}
