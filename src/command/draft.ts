import type { Area } from '../base/area.ts';
import type { Given } from './option.ts';
import { type Album, MOST_PHOTOS, type PhotoRef } from './photo.ts';
import type { Caller, Place } from './place.ts';
import type { Reply } from './reply.ts';

/** A command that is not complete yet, or one that buttons come back to. Plain data; it outlives restarts. */
export interface Draft {
  readonly id: string;
  readonly command: string;
  readonly subcommand?: string;
  readonly given: Given;
  readonly caller: Caller;
  readonly place: Place;
  /** The event that began it: however often it is completed, it makes one job. */
  readonly event: string;
  /** See `Incoming`. */
  readonly againOf?: string;
  /** Its buttons are in a message that only the caller sees. */
  readonly alone?: true;
  /** The option that is being asked for now. */
  readonly asked?: string;
  /** The kind of message that the caller may send as the answer, besides pressing a button. */
  readonly awaits?: 'text' | 'image';
  /** The people in its photo of whom one can be chosen, from left to right. */
  readonly people?: readonly Area[];
}

/** A draft, and everything that a button can do with it. */
export interface DraftHandle {
  readonly id: string;
  readonly photos: readonly PhotoRef[];
  /** The people of whom one can be chosen; undefined: that is not being asked. */
  readonly people: readonly Area[] | undefined;
  /** Gives one option its value, then continues the command. */
  choose(option: string, value: string | PhotoRef): Promise<Reply>;
  /** Asks for this option instead. */
  ask(option: string): Promise<Reply>;
  /** Another page of the list that is shown. */
  turn(page: number): Promise<Reply>;
  /** Continues the command with the values given so far. */
  proceed(): Promise<Reply>;
  /** Gives the draft's photos to this command. */
  become(command: string): Promise<Reply>;
  /** Goes on with this command, with this photo and what was given for options that both have. */
  switchTo(command: string, photo: PhotoRef): Promise<Reply>;
  /** Makes a job of each photo of its album, or of the first alone. */
  takeAlbum(all: boolean): Promise<Reply>;
  forget(): Promise<void>;
}

/** The photos of a draft that belong to no option yet are `photo0`, `photo1`, …. */
export const loosePhotos = (photos: readonly PhotoRef[]): Given =>
  Object.fromEntries(photos.slice(0, MOST_PHOTOS).map((photo, index) => [`photo${index}`, photo]));

/** All photos of a draft, those of its albums among them. */
export function draftPhotos({ given }: Pick<Draft, 'given'>): readonly PhotoRef[] {
  return Object.values(given)
    .filter((value) => typeof value === 'object' && value !== null)
    .flatMap((value) => (value.from === 'album' ? value.photos : value));
}

/** The key of the photos besides the first, when each of them is to make a job. No option has this name. */
const OTHERS = 'others';

const isAlbum = (value: Given[string] | undefined): value is Album =>
  typeof value === 'object' && value.from === 'album';

/** The album of which it is not decided yet what to make, with its option. */
export function albumIn(given: Given) {
  for (const [option, album] of Object.entries(given))
    if (option !== OTHERS && isAlbum(album)) return { option, photos: album.photos };
  return undefined;
}

/** The photos that make jobs besides the one in the option. */
export const furtherPhotosIn = ({ [OTHERS]: others }: Given): readonly PhotoRef[] =>
  isAlbum(others) ? others.photos : [];

/** The values without the further photos of an album, which are no option. */
export const withoutFurtherPhotos = ({ [OTHERS]: _others, ...given }: Given): Given => given;

/** The values once it is decided whether each photo of an album makes a job, or the first alone. */
export function decideAlbum(given: Given, all: boolean): Given {
  const album = albumIn(given);
  if (album === undefined) return given;
  const [first, second, ...more] = album.photos;
  const others: Given =
    all && second !== undefined ? { [OTHERS]: { from: 'album', photos: [second, ...more] } } : {};
  return { ...given, [album.option]: first, ...others };
}
