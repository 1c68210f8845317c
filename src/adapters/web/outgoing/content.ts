import { defined } from '../../../base/defined.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { View } from '../../../command/view.ts';
import { createSigned } from '../visitors/signed.ts';
import { keepMedia, type MediaStore } from './media.ts';
import type { Message } from './message.ts';
import { type PreviewId, render } from './render.ts';

/** Longer ones would make messages large. */
const LONGEST_ADDRESS = 2_000;

/**
 * What a message with this view stores: neither the bytes of its media nor those of previews. Ids of previews are keyed, so
 * that they tell nothing of the address, and the same in all processes, so that browsers can cache them.
 */
export function createContent(parts: { readonly state: KeyValue; readonly media: MediaStore }) {
  const names = createSigned(parts.state, 'web:preview-secret');
  const previewId: PreviewId = (url) => (url.length > LONGEST_ADDRESS ? undefined : names.nameFor(url));
  return {
    load: names.load,
    previewId,
    async of(
      message: string,
      shown: View,
    ): Promise<Required<Pick<Message, 'view'>> & Pick<Message, 'previews'>> {
      const previews: Record<string, string> = {};
      const view = render(shown, await keepMedia(parts.media, message, shown), (url) => {
        const id = previewId(url);
        if (id !== undefined) previews[id] = url;
        return id;
      });
      return { view, ...defined({ previews: view.tiles && previews }) };
    },
  };
}

export type Content = ReturnType<typeof createContent>;
