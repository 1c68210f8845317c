import { defined } from '../../../base/defined.ts';
import type { Records } from '../../../base/keyv/records.ts';
import type { View } from '../../../command/view.ts';
import { createSigned } from '../visitors/signed.ts';
import type { MediaStore } from './media.ts';
import type { Message } from './message.ts';
import { type Photos, shownPhotoId } from './photos.ts';
import { type PreviewId, render } from './render.ts';

/** Longer ones would make messages large. */
const LONGEST_ADDRESS = 2_000;

/**
 * What a message with this view stores: neither the bytes of its media nor those of previews. Ids of previews are keyed, so
 * that they tell nothing of the address, and the same in all processes, so that browsers can cache them.
 */
export function createContent(parts: {
  readonly state: Records;
  readonly media: MediaStore;
  readonly photos: Photos;
  readonly process: string | undefined;
}) {
  const names = createSigned(parts.state, 'web:preview-secret');
  const previewId: PreviewId = (url) => (url.length > LONGEST_ADDRESS ? undefined : names.nameFor(url));
  const keep = async (
    message: string,
    { media }: View,
    address: string,
  ): Promise<{ readonly id?: string; readonly process?: string }> => {
    if (media === undefined || media.kind === 'link') return {};
    if (media.showsPhoto) {
      const id = shownPhotoId(message);
      await parts.photos.put([[id, media.bytes]], address);
      // Another process that shares the store does not have it.
      return { id, ...defined({ process: parts.process }) };
    }
    return { id: await parts.media.keep(message, media.bytes, media.type) };
  };
  return {
    load: names.load,
    previewId,
    /** `address`: of who uses the memory, if any is needed. */
    async of(
      message: string,
      shown: View,
      address = '',
    ): Promise<Required<Pick<Message, 'view'>> & Pick<Message, 'previews' | 'process'>> {
      const previews: Record<string, string> = {};
      const { id: media, process } = await keep(message, shown, address);
      const view = render(shown, media, (url) => {
        const id = previewId(url);
        if (id !== undefined) previews[id] = url;
        return id;
      });
      return { view, ...defined({ previews: view.tiles && previews, process }) };
    },
  };
}

export type Content = ReturnType<typeof createContent>;
