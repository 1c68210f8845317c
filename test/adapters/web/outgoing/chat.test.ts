import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PhotoGone } from '../../../../src/adapters/adapter.ts';
import type { Message } from '../../../../src/adapters/web/outgoing/message.ts';
import type { Desk } from '../../../../src/command/desk.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import type { View } from '../../../../src/command/view.ts';
import { imageOf, jpeg } from '../../../contract/adapter/pictures.ts';
import { createScriptedDesk } from '../../../contract/adapter/scripted-desk.ts';
import { line } from '../../../contract/adapter/views.ts';
import { holds } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { createFolder, openWeb, studio } from '../open-web.ts';

const done = (bytes: Uint8Array): View => ({ tone: 'done', lines: ['AI-generated'], media: imageOf(bytes) });
const signal = AbortSignal.timeout(60_000);

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ text, view }) => text ?? view?.lines.flat().join(' ') ?? '');

describe('the chat of the playground', () => {
  it('shows messages, results and running cards after a restart', async () => {
    const folder = createFolder();
    const before = await openWeb({}, folder);
    const ann = await openBrowser(before.url);
    before.desk.replies(
      { kind: 'card', job: 'job-1', view: line('one'), private: false },
      { kind: 'card', job: 'job-2', view: line('two'), private: false },
    );
    await ann.say('studio', '/faceswap 1', [await jpeg()]);
    await holds(() => expect(before.desk.cards).toHaveLength(1));
    await ann.say('studio', '/faceswap 2', [await jpeg()]);
    await holds(() => expect(before.desk.cards).toHaveLength(2));
    const [first, second] = before.desk.cards;
    if (first === undefined || second === undefined) throw new Error('no cards');
    const picture = await jpeg();
    const drawn = await before.adapter.draw(first.card, done(picture), 'final');
    await before.stop();

    const after = await openWeb({}, folder);
    const again = await openBrowser(after.url);
    const texts = textsOf(await again.messages('studio'));
    expect(texts).toEqual(['/faceswap 1', 'AI-generated', '/faceswap 2', 'two']);
    expect((await after.adapter.draw(second.card, line('two goes on'), 'final')).state).toBe('drawn');
    const result = drawn.state === 'drawn' ? drawn.result : undefined;
    if (result === undefined || !('ref' in result)) throw new Error('no result');
    expect(await after.adapter.photo(result, 1e6, signal)).toEqual(picture);
    const media = await again.ask(`/media/${result.ref}`);
    expect(new Uint8Array(await media.arrayBuffer())).toEqual(picture);
  });

  it('never stores a photo, keeps it in memory for an hour, and then says so', async () => {
    const clock = createFakeClock();
    const { url, desk, adapter, folder } = await openWeb({ clock });
    const ann = await openBrowser(url);
    const photo = new Uint8Array(Buffer.concat([await jpeg(), Buffer.from('a-mark-that-is-looked-for')]));
    await ann.say('studio', '/faceswap 1', [photo]);
    await holds(() => expect(desk.heard).toHaveLength(1));
    const ref = desk.heard[0]?.photos[0];
    if (ref === undefined || !('ref' in ref)) throw new Error('no photo');
    expect(await adapter.photo(ref, 1e6, signal)).toEqual(photo);
    await clock.advance(3_599_000);
    expect(await adapter.photo(ref, 1e6, signal)).toEqual(photo);
    await clock.advance(2_000);
    await expect(adapter.photo(ref, 1e6, signal)).rejects.toThrow(PhotoGone);
    const onDisk = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
    const needles = ['a-mark-that-is-looked-for', Buffer.from(photo).toString('base64').slice(0, 60)];
    for (const needle of needles) expect(onDisk.join('')).not.toContain(needle);
  });

  it('forgets the oldest messages of a room, not the newest', async () => {
    const { url, adapter } = await openWeb();
    const first = await adapter.say({ place: studio }, done(await jpeg()));
    for (let count = 0; count < 200; count += 1)
      await adapter.say({ place: studio }, line(`message ${count}`));
    const ann = await openBrowser(url);
    const texts = textsOf(await ann.messages('studio'));
    expect(texts).toHaveLength(200);
    expect(texts.at(-1)).toBe('message 199');
    if (first.state !== 'drawn' || first.card === undefined) throw new Error('not drawn');
    expect((await adapter.draw(first.card, line('x'), 'final')).state).toBe('gone');
    expect((await ann.ask(`/media/${first.result?.from === 'web' ? first.result.ref : ''}`)).status).toBe(
      404,
    );
  });

  it('shows a command to others only with a public answer', async () => {
    const { url, desk } = await openWeb();
    const [ann, bob] = [await openBrowser(url, 'ann'), await openBrowser(url, 'bob')];
    desk.replies(
      {
        kind: 'message',
        view: { ...line('sure?'), buttons: [[{ action: 'consent:1', label: 'Yes' }]] },
        private: true,
      },
      { kind: 'card', job: 'job-1', view: line('working'), private: false, replaces: true },
    );
    await ann.say('studio', '/faceswap 1', [await jpeg()]);
    const question = await holds(async () => {
      const found = (await ann.messages('studio')).find(({ view }) => view !== undefined);
      if (found === undefined) throw new Error('no question yet');
      return found;
    });
    expect(await bob.messages('studio')).toEqual([]);
    const photo = (await ann.messages('studio'))[0]?.photos?.[0];
    expect((await bob.ask(`/media/${photo}`)).status).toBe(404);
    await ann.press(question, 'Yes');
    expect(textsOf(await bob.messages('studio'))).toEqual(['/faceswap 1', 'working']);
    expect((await bob.ask(`/media/${photo}`)).headers.get('content-type')).toBe('image/jpeg');
  });

  it('reports an unknown command', async () => {
    const desk: Desk = { ...createScriptedDesk(), text: async () => undefined };
    const { url } = await openWeb({ desk });
    const ann = await openBrowser(url);
    await ann.say('studio', '/nonsense');
    await holds(async () =>
      expect(textsOf(await ann.messages('studio')).join()).toContain('There is no command /nonsense.'),
    );
  });

  it('lets moderators and authors remove a message, and nobody else', async () => {
    const { url, adapter } = await openWeb();
    await adapter.say({ place: studio }, line('for all'));
    const [bob, max] = [await openBrowser(url, 'bob'), await openBrowser(url, 'max')];
    const [message] = await bob.messages('studio');
    const wanted = { room: 'studio', message: message?.id };
    expect((await bob.post('/api/remove', wanted)).status).toBe(403);
    expect((await max.post('/api/remove', wanted)).status).toBe(200);
    expect(await bob.messages('studio')).toEqual([]);
  });
});

describe('somebody who wants to be forgotten', () => {
  it('is told privately, although the message with the button was removed', async () => {
    const { url, desk, adapter } = await openWeb();
    const ann = await openBrowser(url);
    const bob = await openBrowser(url, 'bob');
    const buttons = [[{ action: 'erase:1', label: 'Delete' }]];
    desk.replies({ kind: 'message', view: { ...line('your data'), buttons }, private: true }, async () => {
      await adapter.forget({ platform: 'web', id: 'ann', name: 'Ann', locale: 'en' });
      return { kind: 'replace', view: line('deleted') };
    });
    await ann.say('studio', '/privacy');
    const pressed = await holds(async () => {
      const message = (await ann.messages('studio')).find(({ from }) => from === 'bot');
      if (message === undefined) throw new Error('not yet');
      return message;
    });
    await ann.press(pressed, 'Delete');
    await holds(async () => expect(textsOf(await ann.messages('studio'))).toEqual(['deleted']));
    expect(await bob.messages('studio')).toEqual([]);
  });
});

const card = (isPrivate: boolean): Reply => ({
  kind: 'card',
  job: 'job',
  view: { tone: 'busy', lines: ['in the making'] },
  private: isPrivate,
});

it.each([
  [true, []],
  [false, ['a swamp monster', undefined]],
])('answers to a question are visible to others only if the job is (private: %s)', async (hidden, others) => {
  const { url, desk } = await openWeb();
  const [ann, bob] = [await openBrowser(url, 'ann'), await openBrowser(url, 'bob')];
  desk.replies(card(hidden));
  await ann.say('studio', 'a swamp monster');
  await holds(async () => {
    const own = await ann.messages('studio');
    expect(own.map(({ pending }) => pending)).toEqual([undefined, undefined]);
  });
  expect((await bob.messages('studio')).map(({ text }) => text)).toEqual(others);
});

it('who is turned away is told alone: each of them, and those who were told before when only the chat was', async () => {
  const { url, desk } = await openWeb();
  const [ann, bob] = [await openBrowser(url, 'ann'), await openBrowser(url, 'bob')];
  const note = { kind: 'note', text: 'not here' } as const;
  desk.replies(note, { ...note, known: 'chat' }, { ...note, known: true });
  const textsFor = async (browser: typeof ann, count: number) =>
    holds(async () => {
      const all = await browser.messages('studio');
      expect(all.map(({ pending }) => pending)).toEqual(Array(count).fill(undefined));
      return all.map(({ text, view }) => text ?? view?.lines[0]?.[0]);
    });
  await ann.say('studio', '/faceswap a swamp monster');
  expect(await textsFor(ann, 2)).toEqual(['/faceswap a swamp monster', 'not here']);
  await bob.say('studio', '/jobs');
  expect(await textsFor(bob, 2)).toEqual(['/jobs', 'not here']);
  await bob.say('studio', '/usage');
  expect(await textsFor(bob, 3)).toEqual(['/jobs', 'not here', '/usage']);
});
