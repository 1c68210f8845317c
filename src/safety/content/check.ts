import type { Log } from '../../log/log.ts';
import { PictureRefused } from '../../picture/structure.ts';
import { type Content, looksIntimate } from './content.ts';

/** What came of looks at content, for figures: `unchecked` is one that could not be made. */
export const CONTENT_EVENTS = ['photo-refused', 'held', 'shown', 'removed', 'unchecked'] as const;
export type ContentEvent = (typeof CONTENT_EVENTS)[number];

export type ContentCheck = ReturnType<typeof createContentCheck>;

export interface ContentCheckDependencies {
  /** Looks at one picture, in turns person by person. PictureRefused is final; any other error says nothing about the picture. */
  readonly look: (picture: Uint8Array, person: string) => Promise<Content>;
  readonly counted: (event: ContentEvent) => void;
  /** Pictures wait because none can be looked at: an owner has to do something. */
  readonly cannotRun: () => void;
  /** The program ends, and the looks under way with it. */
  readonly isStopping: () => boolean;
  readonly log: Pick<Log, 'warn'>;
}

/** A process that ended once is replaced; after so many failures in a row it is more than that. */
const FAILURES_TO_TELL = 3;

/** Whether pictures show nudity, as far as the model can tell. No picture passes because it could not be looked at. */
export function createContentCheck({ look, counted, cannotRun, isStopping, log }: ContentCheckDependencies) {
  let failures = 0;
  return {
    counted,
    /** PictureRefused: it is no picture that can be looked at. Rejects with another error where the model cannot run now. */
    async isIntimate(picture: Uint8Array, person: string): Promise<boolean> {
      try {
        const content = await look(picture, person);
        failures = 0;
        return looksIntimate(content);
      } catch (error) {
        if (error instanceof PictureRefused || isStopping()) throw error;
        failures += 1;
        counted('unchecked');
        log.warn({ err: error }, 'a picture could not be looked at; what shows it waits');
        if (failures >= FAILURES_TO_TELL) cannotRun();
        throw error;
      }
    },
  };
}
