import type { Area } from '../base/area.ts';
import type { Platform } from '../platforms/platforms.ts';

/** The most photos of one message: an album of Telegram has no more, and neither has a form of Discord. */
export const MOST_PHOTOS = 10;

/**
 * A reference to a photo, never its bytes: records must not contain pictures. Only the platform's adapter reads `ref`.
 * A link is public https and is sent to the service unchanged; the bot never fetches it. A face is the one that the caller has
 * saved under this name when it is used: those of other people cannot be named. `part`: the area that its person chose, when they
 * were asked. `isResult`: a button passed on what the bot itself had made; `job`: as the result of this job.
 */
export type PhotoRef =
  | {
      readonly from: Platform;
      readonly ref: string;
      readonly spoiler?: boolean;
      readonly part?: Area;
      readonly isResult?: true;
      readonly job?: string;
    }
  | { readonly from: 'link'; readonly url: string; readonly spoiler?: boolean }
  | { readonly from: 'face'; readonly name: string; readonly spoiler?: undefined };

/** A photo of a platform, not a link or a saved face. */
export type SentPhoto = Extract<PhotoRef, { readonly ref: string }>;

/** Who a photo should show: one person, anybody, or two and more. */
export type WantedPeople = 'one' | 'some' | 'several';

/** The trouble with a photo that does not show who it should. */
export type WrongPeople = 'no-face' | 'several' | 'too-few';

/** The trouble with a photo in which so many people were found; undefined: it shows who it should. */
export function wrongPeople(people: number, wanted: WantedPeople): WrongPeople | undefined {
  if (wanted === 'several') return people < 2 ? 'too-few' : undefined;
  if (people === 0) return 'no-face';
  return wanted === 'one' && people > 1 ? 'several' : undefined;
}

/** Photos that were sent together, for an option that makes a job of each. */
export interface Album {
  readonly from: 'album';
  readonly photos: readonly [PhotoRef, ...PhotoRef[]];
}

/** Several photos as an album, or the only one as a photo. */
export function albumOf(photos: readonly PhotoRef[]): PhotoRef | Album | undefined {
  const [first, ...others] = photos.slice(0, MOST_PHOTOS);
  return first === undefined || others.length === 0 ? first : { from: 'album', photos: [first, ...others] };
}
