// @module-tag slow
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { moveStore } from '../../../src/owner/move/move-store.ts';
import { createPlace, DATABASES, fixtureOf, KEYS, openAt, type StoryPlace } from './story/place.ts';
import { saidOf } from './story/said.ts';
import { BEGIN, END, playStory } from './story/story.ts';
import { valuesIn } from './suite/driver.ts';

/**
 * The same story in every kind of store: all of them say the same of it and come to the same when they go on, today's and those that
 * the version of `scripts/story-fixture.ts` left behind.
 */

const kept = gunzipSync(readFileSync(fixtureOf('said.json.gz'))).toString();
const { inbox } = JSON.parse(kept);

/** What is said of a store today. That version forgot the totals of days that were over; the sum of the month needs them now. */
const saidToday = (text: string) => {
  const { inbox: _, after, ...said } = JSON.parse(text);
  const totals = [
    { day: '2026-01-04', credits: 28 },
    { day: '2026-01-05', credits: 29 },
  ];
  return { ...said, after: { ...after, totals } };
};
const said = saidToday(kept);
/** Nor did it count credits that went back after a job had been removed. */
const saidNow = saidToday(
  kept.replace('"name":"cancelled","count":2,"credits":2', '"name":"cancelled","count":2,"credits":4'),
);
const encryptions = ['plain', 'encrypted'] as const;
const [KEY] = KEYS.encrypted;
const OTHER = Buffer.alloc(32, 8);

async function play(place: StoryPlace, keys: readonly Uint8Array[]): Promise<void> {
  const time = { now: BEGIN };
  const opened = await openAt(place.url, keys, time);
  await playStory(opened, time);
  await opened.close();
  expect(time.now).toBeLessThan(END);
}

describe.each(DATABASES)('%s', (database) => {
  const tags: 'postgres'[] = database === 'postgres' ? ['postgres'] : [];
  const expectSaid = async (place: StoryPlace, keys: readonly Uint8Array[], expected: unknown) => {
    const { inbox: claimed, ...now } = await saidOf(place, keys);
    expect(now).toEqual(expected);
    return claimed;
  };

  it.each(encryptions)(
    'a story goes on with what an earlier version left behind, %s',
    { tags },
    async (encryption) => {
      await using place = await createPlace(database);
      await place.load(readFileSync(fixtureOf(`${database}-${encryption}.gz`)));
      const claimed = await expectSaid(place, KEYS[encryption], said);

      // Its files had no inbox.
      expect(claimed).toEqual(database === 'postgres' ? inbox : []);
    },
  );

  it.each<[string, ...(readonly Uint8Array[])[]]>([
    ['without a key', []],
    ['with a key', [KEY]],
    ['that gets a key', [], [KEY]],
    ['whose key is changed', [KEY], [OTHER, KEY], [OTHER]],
    ['whose key is changed and changed back', [KEY], [OTHER, KEY], [KEY, OTHER], [KEY]],
  ])('a story ends in the same way in a new store %s', { tags }, async (_, first, ...later) => {
    await using place = await createPlace(database);
    await play(place, first);
    for (const keys of later) {
      const { store, close } = await openAt(place.url, keys, { now: END });
      while (await store.sweep());
      await close();
    }
    const keys = later.at(-1) ?? first;
    const isReadable = (await valuesIn(place)).some(([, text]) =>
      /anna|carl|fred|discord:1|a wish|event |service (done|film)|photo /.test(text),
    );

    expect(isReadable).toBe(keys.length === 0);
    expect(await expectSaid(place, keys, saidNow)).toEqual(inbox);
  });
});

it('a story goes on in a database where a file was moved to', { tags: ['postgres'] }, async () => {
  await using file = await createPlace('sqlite');
  await using server = await createPlace('postgres');

  await play(file, [KEY]);
  await moveStore({ from: file.url, to: server.url, keys: [KEY], progress: () => undefined });
  const { inbox: _claimed, ...now } = await saidOf(server, [KEY]);

  expect(now).toEqual(saidNow);
});
