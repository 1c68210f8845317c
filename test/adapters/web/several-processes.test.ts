/** Two adapters over one store stand for two processes: browsers are connected to one, the other draws. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createChat } from '../../../src/adapters/web/outgoing/chat.ts';
import { createMediaStore } from '../../../src/adapters/web/outgoing/media.ts';
import { webRecords } from '../../../src/adapters/web/records.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import type { ScriptedDesk } from '../../contract/adapter/scripted-desk.ts';
import { line } from '../../contract/adapter/views.ts';
import { eventually, holds } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { interleaved, recordsWith } from '../../fakes/records.ts';
import { openBrowser } from '../../fakes/web/browser.ts';
import { openWeb, studio } from './open-web.ts';

const open = async () => {
  const store = await openStore({ path: ':memory:', keys: [] });
  onTestFinished(() => store.close());
  return store.keyv('web', webRecords);
};
const openBoth = async (options: Parameters<typeof openWeb>[0]) =>
  [await openWeb({ ...options, process: 'one' }), await openWeb({ ...options, process: 'two' })] as const;
const counted = (records: Records) => {
  const reads: string[] = [];
  const get = <T>(key: string) => {
    reads.push(key);
    return records.get<T>(key);
  };
  return { state: recordsWith(interleaved(records), { get }), reads };
};
const photoHeard = (desk: ScriptedDesk) =>
  eventually(() => {
    const photo = desk.heard[0]?.photos[0];
    return photo?.from === 'web' && photo;
  }, 'a photo');
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);

it('a page sees within a second what another process draws, changes and removes', async () => {
  const [state, clock] = [await open(), createFakeClock()];
  const [one, two] = await openBoth({ state, clock });
  const bob = await openBrowser(one.url, 'bob');
  const stream = await bob.listen();
  onTestFinished(() => stream.close());
  const texts = () => stream.seen('studio').map(({ view }) => view?.lines.flat().join(''));
  const drawn = await two.adapter.say({ place: studio }, line('first'));
  if (drawn.state !== 'drawn' || drawn.card === undefined) throw new Error('it was not drawn');
  await clock.advance(1_000);
  await holds(() => expect(texts()).toEqual(['first']));

  // Progress is not final, and shown all the same; so is a result, with its picture.
  await two.adapter.draw(drawn.card, line('half'), 'cosmetic');
  await clock.advance(1_000);
  await holds(() => expect(texts()).toEqual(['half']));
  const media = { kind: 'image', type: 'image/png', bytes: png } as never;
  await two.adapter.draw(drawn.card, { ...line('done'), media }, 'final');
  await clock.advance(1_000);
  await holds(() => expect(texts()).toEqual(['done']));
  const [shown] = stream.seen('studio');
  expect(shown).not.toHaveProperty('lost');
  const id = shown?.view?.media !== undefined && 'id' in shown.view.media ? shown.view.media.id : '';
  const loaded = await bob.ask(`/media/${id}`);
  expect(new Uint8Array(await loaded.arrayBuffer())).toEqual(png);

  await two.adapter.removeMessage(drawn.card);
  await clock.advance(1_000);
  await holds(() => expect(texts()).toEqual([]));
});

it('a store that nobody shares is not looked at', async () => {
  const clock = createFakeClock();
  const { state, reads } = counted(await open());
  const { url } = await openWeb({ state, clock });
  const bob = await openBrowser(url, 'bob');
  const stream = await bob.listen();
  onTestFinished(() => stream.close());
  reads.length = 0;
  await clock.advance(10_000);
  expect(reads).toEqual([]);
});

it('a photo is only in the memory of the process that received it, which its references name', async () => {
  const state = await open();
  const written = vi.spyOn(state, 'set');
  const [one, two] = await openBoth({ state });
  const bob = await openBrowser(one.url, 'bob');
  await bob.say('studio', 'hello', [png]);
  const photo = await photoHeard(one.desk);
  expect(photo.process).toBe('one');
  const signal = new AbortController().signal;
  expect(await one.adapter.photo(photo, 1_000, signal)).toEqual(png);
  await expect(two.adapter.photo(photo, 1_000, signal)).rejects.toThrow('not in memory');
  expect(written).toHaveBeenCalled();
  expect(JSON.stringify(written.mock.calls)).not.toContain(Buffer.from(png).toString('base64'));
  // A page that is connected to the other one may try to load it.
  const ann = await openBrowser(two.url, 'bob');
  const [said] = await ann.messages('studio');
  expect(said).not.toHaveProperty('lost');
  expect((await ann.ask(`/media/${photo.ref}`)).status).toBe(410);
  expect((await bob.ask(`/media/${photo.ref}`)).status).toBe(200);
});

it('a message that is sent again, to another process, is answered with the photos of that one', async () => {
  const state = await open();
  const [one, two] = await openBoth({ state });
  const never = Promise.withResolvers<Reply>();
  one.desk.replies(never.promise);
  const [bob, again] = [await openBrowser(one.url, 'bob'), await openBrowser(two.url, 'bob')];
  const id = 'the-same-message';
  await bob.say('studio', 'hello', [png], id);
  expect((await photoHeard(one.desk)).process).toBe('one');
  await again.say('studio', 'hello', [png], id);
  const photo = await photoHeard(two.desk);
  expect(photo.process).toBe('two');
  expect(await two.adapter.photo(photo, 1_000, new AbortController().signal)).toEqual(png);
  never.resolve({ kind: 'note', text: 'late' });
});

it.each([1, 2, 3, 4, 5])('messages of several processes are kept, changed once each (%i)', async (seed) => {
  const records = await open();
  const create = (own: number) =>
    createChat({
      state: interleaved(records, seed + own * 100),
      clock: systemClock,
      dropped: () => undefined,
    });
  const [one, two] = [create(1), create(2)];
  await one.put({ room: 'studio', id: 'both', from: 'ann', text: '' });
  await Promise.all([
    ...Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : two).put({ room: 'studio', id: `m${index}`, from: 'ann', text: 'said' }),
    ),
    ...Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? one : two).change({ room: 'studio', id: 'both' }, (message) => ({
        ...message,
        text: `${message.text}x`,
      })),
    ),
  ]);
  await Promise.all([one.refresh('studio'), two.refresh('studio')]);
  const three = create(3);
  await three.load();
  const shown = (chat: typeof one) =>
    chat
      .all('studio')
      .map(({ id, text }) => [id, text])
      .toSorted();
  expect(shown(three)).toHaveLength(21);
  expect(three.get({ room: 'studio', id: 'both' })?.text).toBe('x'.repeat(10));
  expect(shown(one)).toEqual(shown(three));
  expect(shown(two)).toEqual(shown(three));
});

it.each([1, 2, 3])('results of several processes are all listed (%i)', async (seed) => {
  const records = await open();
  const [one, two] = [1, 2].map((own) => createMediaStore(interleaved(records, seed + own * 100)));
  const ids = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? one : two)?.keep(`${index}`, new Uint8Array([index]), 'image/png'),
    ),
  );
  await one?.load();
  for (const [index, id] of ids.entries())
    expect((await one?.read(id ?? ''))?.bytes).toEqual(new Uint8Array([index]));
});

it('photos of a person who is erased by one process leave the memory of the others; later ones stay', async () => {
  const [records, clock] = [await open(), createFakeClock()];
  const { state, reads } = counted(records);
  const one = await openWeb({ state, process: 'one', clock });
  const two = await openWeb({ state: records, process: 'two', clock });
  const signal = new AbortController().signal;
  const ann = { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' } as const;
  const send = async (name: string, id: string) => {
    const browser = await openBrowser(one.url, name);
    await browser.say('studio', `/help ${id}`, [png], id);
    const photo = await eventually(() => {
      const photos = one.desk.heard.flatMap((heard) => heard.photos);
      return photos.find((each) => each.from === 'web' && each.ref.includes(id));
    }, 'a photo');
    if (photo.from !== 'web') throw new Error('it is not of the playground');
    return () =>
      one.adapter.photo(photo, 1_000, signal).then(
        () => 'kept',
        () => 'gone',
      );
  };
  reads.length = 0;
  await clock.advance(10_000);
  expect(reads).toEqual([]);

  const before = await send('ann', '11111111-1111-4111-8111-111111111111');
  const others = await send('bob', '22222222-2222-4222-8222-222222222222');
  await two.adapter.forget(ann);
  expect(await before()).toBe('kept');
  await clock.advance(2_000);
  await eventually(async () => (await before()) === 'gone', 'the photo to be gone');
  expect(await others()).toBe('kept');

  // Sent before this process has heard of the erasure.
  await two.adapter.forget(ann);
  const after = await send('ann', '33333333-3333-4333-8333-333333333333');
  await clock.advance(10_000);
  expect([await after(), await others()]).toEqual(['kept', 'kept']);

  // When all of them have expired, nothing is read any more.
  await clock.advance(3_700_000);
  reads.length = 0;
  await clock.advance(60_000);
  expect(reads).toEqual([]);
});
