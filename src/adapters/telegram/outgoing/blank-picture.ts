import type { Upload } from './media.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKklEQVR42u3MQREAAAwCIPsHNYch9ttBANKjCAQCgUAgEAgEAoFAIPgeDOiOYNN7571CAAAAAElFTkSuQmCC';

/** An empty grey picture: takes the place of one that must go where Telegram no longer deletes messages. */
export const blankPicture: Upload = {
  kind: 'image',
  bytes: Buffer.from(png, 'base64'),
  type: 'image/png',
  name: 'removed.png',
  as: 'inline',
  alt: '',
  width: 64,
  height: 64,
};
