import { defined } from '../../../base/defined.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { View } from '../../../command/view.ts';
import { createSigned } from '../visitors/signed.ts';
import { keepMedia, type MediaStore } from './media.ts';
import type { Message } from './message.ts';
import { render } from './render.ts';

/** Longer ones would make messages large. */
const LONGEST_ADDRESS = 2_000;

/**
 * What a message with this view stores: neither the bytes of its media nor those of previews. Ids of previews are keyed, so
 * that they tell nothing of the address, and the same in all processes, so that browsers can cache them.
 */
export function createContent(parts: { readonly state: KeyValue; readonly media: MediaStore }) {
  const names = createSigned(parts.state, 'web:preview-secret');
  return {
    load: names.load,
    async of(
      message: string,
      shown: View,
    ): Promise<Required<Pick<Message, 'view'>> & Pick<Message, 'previews'>> {
      const previews: Record<string, string> = {};
      const view = render(shown, await keepMedia(parts.media, message, shown), (url) => {
        if (url.length > LONGEST_ADDRESS) return undefined;
        const id = names.nameFor(url);
        previews[id] = url;
        return id;
      });
      return { view, ...defined({ previews: view.tiles && previews }) };
    },
  };
}

export type Content = ReturnType<typeof createContent>;
