import type { Area } from '../base/area.ts';
import type { PhotoRef, WantedPeople, WrongPeople } from './photo.ts';
import type { Media } from './view.ts';

/** An event of the face check that is counted for owners: the trouble that it found, or the answer of the person. */
export type FaceCheckEvent = WrongPeople | 'anyway' | 'one-of-them' | 'everybody' | 'one-face';

/** A photo that does not show who it should. */
export interface FaceCheckResult {
  readonly wrong: WrongPeople;
  /** The area of the photo that shows each person, from left to right. */
  readonly people: readonly Area[];
  /** Their faces with their numbers, where there are several, and where each is on it. */
  readonly sheet?: Media;
  readonly spots?: readonly Area[];
}

/** The check of a photo before credits are spent. */
export interface FaceCheckPort {
  readonly isOn: boolean;
  /** Looks for faces in a photo; undefined: it shows who it should, or that is not known in time. Rejects only while the program stops. */
  check(photo: PhotoRef, wanted: WantedPeople): Promise<FaceCheckResult | undefined>;
  count(event: FaceCheckEvent): void;
  /** Starts the process that finds faces, because a photo may have to be checked soon. */
  prepare(): void;
}
