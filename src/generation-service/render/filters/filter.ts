import type { Scene } from '../scenes/scene.ts';
import type { Step } from '../steps.ts';

/** Names of filters and what they do to a photo. */
export type FilterTable = Record<string, readonly Step[]>;

export interface Filter {
  /** Unique over all tables, such as `face/12`. */
  key: string;
  id: number;
  name: string;
  steps: readonly Step[];
  /** The person is put into it: the photo must show a face. */
  scene?: Scene;
  /** The people of the photo get each other's faces first: it must show two. */
  swapsFaces?: true;
}
