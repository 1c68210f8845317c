import type { Upload } from './media.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPsHNYch9ttBANKjCAQCgUAgEAgEAoFAIPgeDOiOYNN7571CAAAAAElFTkSuQmCC';

/** Replaces a picture in a message that is too old to be deleted. */
export const blankPicture: Upload = {
  kind: 'image',
  bytes: Buffer.from(PNG, 'base64'),
  type: 'image/png',
  name: 'removed.png',
  as: 'inline',
  alt: '',
  width: 64,
  height: 64,
};
