import { pictureType } from '../../base/picture-type.ts';
import { videoType } from '../sniff.ts';
import { tagPicture } from './tag-picture.ts';
import { tagVideo } from './tag-video.ts';

/**
 * Marks a file of the service as AI-generated, with XMP alone: nothing is decoded, no pixel and no frame changes, the type stays
 * the same, and there is no visible mark. A video of an unknown type is returned unchanged. Throws `PictureRefused` for a
 * broken picture.
 */
export function tagFile(bytes: Uint8Array): Uint8Array {
  return pictureType(bytes) === undefined ? tagVideo(bytes, videoType(bytes)) : tagPicture(bytes);
}
