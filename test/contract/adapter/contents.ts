import { expect } from 'vitest';
import type { Media, View } from '../../../src/command/view.ts';
import { imageOf, jpeg, mp4 } from '../../fakes/pictures.ts';
import type { Run } from './cases/cases.ts';
import type { Ability, Seen } from './driver.ts';
import type { Scene } from './scene.ts';

/**
 * What a message can show. A flag of a reply or of a file must have its effect with each of these, because adapters send pictures,
 * videos and files by other calls than texts. The compiler demands a row for each kind of media.
 */

export type FileMedia = Extract<Media, { readonly bytes: Uint8Array }>;

const video = (as: FileMedia['as']): FileMedia => ({
  kind: 'video',
  bytes: mp4(),
  type: 'video/mp4',
  name: 'result.mp4',
  alt: 'A portrait that moves',
  as,
});

type FileName = `${FileMedia['kind']} ${FileMedia['as']}`;
export type ContentName = 'text' | FileName;

const files: Readonly<Record<FileName, () => Promise<FileMedia>>> = {
  'image inline': async () => imageOf(await jpeg()),
  'image file': async () => imageOf(await jpeg(), { as: 'file' }),
  'video inline': async () => video('inline'),
  'video file': async () => video('file'),
};

const contents: Readonly<Record<ContentName, () => Promise<FileMedia | undefined>>> = {
  text: async () => undefined,
  ...files,
};
export const contentNames = Object.keys(contents) as readonly ContentName[];

/** The title of one of the cases that `repeated` makes. */
export const titleWith = (title: string, content: ContentName): string => `${title} (${content})`;

/** The title that the cases of all contents have in common. */
export const commonTitle = (name: string): string => {
  const ending = contentNames.map((content) => titleWith('', content)).find((each) => name.endsWith(each));
  return ending === undefined ? name : name.slice(0, -ending.length);
};

/** How a person sees the file. */
export const shownAs = ({ as, kind, bytes }: FileMedia): Partial<NonNullable<Seen['media']>> => ({
  kind: as === 'file' ? 'file' : kind,
  bytes,
});

export interface Content {
  /** A view that shows the content under this text. */
  view(text: string, more?: Partial<View>): View;
  /** Fails unless the message shows the content. */
  check(seen: Seen): void;
}

const contentOf = (media: FileMedia | undefined): Content => ({
  view: (text, more = {}) => ({
    tone: 'info',
    lines: [text],
    ...(media === undefined ? {} : { media }),
    ...more,
  }),
  check: ({ media: seen }) => {
    if (media === undefined) expect(seen).toBeUndefined();
    else expect(seen).toMatchObject(shownAs(media));
  },
});

export const textContent: Content = contentOf(undefined);

const isRepeated: unique symbol = Symbol('repeated');
/** Cases that run once for each content or file; others may stand beside them. */
export type Repeated = Readonly<Record<string, Run>> & { readonly [isRepeated]: true };

const repeated = <Each>(
  title: string,
  all: Readonly<Partial<Record<ContentName, () => Promise<Each>>>>,
  run: (scene: Scene, each: Each) => Promise<unknown>,
  needs: readonly Ability[],
): Repeated => {
  const caseOf = (make: () => Promise<Each>): Run =>
    Object.assign(async (scene: Scene) => void (await run(scene, await make())), { needs });
  const cases = contentNames.flatMap((name) => {
    const make = all[name];
    return make === undefined ? [] : [[titleWith(title, name), caseOf(make)] as const];
  });
  return { ...Object.fromEntries(cases), [isRepeated]: true };
};

/** Makes the same case for a text and for every kind of file. */
export const withEveryContent = (
  title: string,
  run: (scene: Scene, content: Content) => Promise<unknown>,
  needs: readonly Ability[] = [],
): Repeated => repeated(title, contents, async (scene, media) => run(scene, contentOf(media)), needs);

/** Makes the same case for every kind of file. */
export const withEveryFile = (
  title: string,
  run: (scene: Scene, file: FileMedia) => Promise<unknown>,
  needs: readonly Ability[] = [],
): Repeated => repeated(title, files, run, needs);
