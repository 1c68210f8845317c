import type { Records } from '../../../base/keyv/records.ts';
import type { View } from '../../../command/view.ts';
import { createSignedNames } from '../../../sign-in/signed-names.ts';
import type { MediaStore } from './media.ts';
import type { Message } from './message.ts';
import { type PlaygroundPhotos, shownPhotoId } from './photos.ts';
import { type PreviewId, render } from './render.ts';

/** Previews with a longer address are left out, because they would make stored messages large. */
const LONGEST_ADDRESS = 2_000;

/**
 * Makes the stored content of messages from views: ids in place of the bytes of media and previews. The id of a preview is a
 * keyed hash of its address, which reveals nothing of the address, and stays the same after a restart, so that browsers can
 * cache the preview.
 */
export function createStoredContent(parts: {
  readonly state: Records;
  readonly media: MediaStore;
  readonly photos: PlaygroundPhotos;
}) {
  const names = createSignedNames(parts.state, 'web:preview-secret');
  const previewId: PreviewId = (url) => (url.length > LONGEST_ADDRESS ? undefined : names.nameFor(url));
  const keep = async (message: string, { media }: View, address: string): Promise<string | undefined> => {
    if (media === undefined || media.kind === 'link') return undefined;
    if (media.showsPhoto) {
      const id = shownPhotoId(message);
      parts.photos.put([[id, media.bytes]], address);
      return id;
    }
    return parts.media.keep(message, media.bytes, media.type);
  };
  return {
    load: names.load,
    previewId,
    /**
     * Makes the content for a view, and stores its media. `address`: the visitor's, to whose share of the memory a shown
     * photo counts.
     */
    async of(
      message: string,
      shown: View,
      address = '',
    ): Promise<Required<Pick<Message, 'view'>> & Pick<Message, 'previews'>> {
      const previews: Record<string, string> = {};
      const media = await keep(message, shown, address);
      const view = render(shown, media, (url) => {
        const id = previewId(url);
        if (id !== undefined) previews[id] = url;
        return id;
      });
      return { view, ...(view.tiles === undefined ? {} : { previews }) };
    },
  };
}

export type StoredContent = ReturnType<typeof createStoredContent>;
