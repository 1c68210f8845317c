// @module-tag slow
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { moveStore } from '../../../src/owner/move/move-store.ts';
import {
  createPlace,
  DATABASES,
  fixtureOf,
  KEYS,
  leftBehind,
  openAt,
  type StoryPlace,
} from '../../fakes/story/place.ts';
import { saidOf } from '../../fakes/story/said.ts';
import { BEGIN, END, playStory } from '../../fakes/story/story.ts';
import { valuesIn } from './suite/driver.ts';

/**
 * The same story in every kind of store: all of them say the same of it and come to the same when they go on, today's and those
 * that earlier versions left behind (`scripts/story-fixture.ts`).
 */

/** The answers of a version about the stores that it left behind, as they would be today. */
const saidBy = (schemas: string) => {
  const { after, ...said } = JSON.parse(
    gunzipSync(readFileSync(fixtureOf(schemas, 'said.json.gz'))).toString(),
  );
  // Those versions forgot the totals of days that were over; the sum of the month needs them now.
  const totals = [
    { day: '2026-01-04', credits: 28 },
    { day: '2026-01-05', credits: 29 },
  ];
  return { ...said, after: { ...after, totals } };
};
const versions = leftBehind();
/** The first version did not count credits that went back after a job had been removed. */
const { inbox, ...saidNow } = saidBy(versions.at(-1) ?? '');
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

  it.each(versions.flatMap((schemas) => encryptions.map((encryption) => ({ schemas, encryption }))))(
    'a story goes on with what a version with $schemas left behind, $encryption',
    { tags },
    async ({ schemas, encryption }) => {
      await using place = await createPlace(database);
      await place.load(readFileSync(fixtureOf(schemas, `${database}-${encryption}.gz`)));
      const { inbox: waiting, ...said } = saidBy(schemas);
      const claimed = await expectSaid(place, KEYS[encryption], said);

      // The files of the first version had no inbox.
      const hadInbox = database === 'postgres' || schemas !== versions[0];
      expect(claimed).toEqual(hadInbox ? waiting : []);
    },
  );

  it.each<{ what: string; first: readonly Uint8Array[]; later: readonly (readonly Uint8Array[])[] }>([
    { what: 'without a key', first: [], later: [] },
    { what: 'with a key', first: [KEY], later: [] },
    { what: 'that gets a key', first: [], later: [[KEY]] },
    { what: 'whose key is changed', first: [KEY], later: [[OTHER, KEY], [OTHER]] },
    {
      what: 'whose key is changed and changed back',
      first: [KEY],
      later: [[OTHER, KEY], [KEY, OTHER], [KEY]],
    },
  ])('a story ends in the same way in a new store $what', { tags }, async ({ first, later }) => {
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
