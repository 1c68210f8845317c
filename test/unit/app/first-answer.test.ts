/** What people see first does not wait for the look at the content of their photos. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Given } from '../../../src/command/option.ts';
import type { FaceFinder } from '../../../src/faces/finder.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { photoOf } from '../../e2e/stage/pictures.ts';
import { eventually } from '../../eventually.ts';
import { createTestCore, type TestCore } from '../../fakes/core.ts';
import { keyOf } from '../../fakes/store-file.ts';

const ann = { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' } as const;
const photo = { from: 'web', ref: 'photo' } as const;

const never = <T>(): Promise<T> => new Promise(() => undefined);

let core: TestCore;
/** The photos that somebody wanted to have fetched, or looked at. */
let asked: string[];

beforeEach(async () => {
  asked = [];
  const finder: FaceFinder = {
    find: never,
    cutOut: never,
    content() {
      asked.push('content');
      return never();
    },
    warm: () => true,
    isClosed: false,
    pids: () => [],
    close: () => undefined,
  };
  core = await createTestCore({
    finder,
    env: { CONTENT_CHECK: 'on', FACE_CHECK: 'off' },
    store: await openSqliteStore({ path: ':memory:', keys: [keyOf(3)] }),
    photo() {
      asked.push('photo');
      return photoOf('#20c020');
    },
  });
});

afterEach(() => core.close());

it.each<{ command: string; given: Given }>([
  { command: 'faceswap', given: { photo, filter: '3', gender: 'female' } },
  { command: 'groupswap', given: { photo, style: '2' } },
  { command: 'animate', given: { photo, prompt: 'a slow zoom' } },
  { command: 'transition', given: { first: photo, last: photo, prompt: 'a swirl' } },
])(
  'the first answer to /$command is its card, before the photo is fetched and its content looked at',
  async ({ command, given }) => {
    expect(await core.says(ann, 'web:room', command, given)).toBe('a card');

    expect(asked).toEqual([]);
  },
);

it('commands are answered while the content of a photo is looked at without end', async () => {
  void core.says(ann, 'web:room', 'face save', { name: 'me', photo });
  await eventually(() => asked.includes('content'), 'the look at the photo');

  expect(await core.says(ann, 'web:room', 'faceswap', { photo, filter: '3', gender: 'female' })).toBe(
    'a card',
  );
  expect(await core.says(ann, 'web:room', 'usage')).toContain('Credits today');
});
