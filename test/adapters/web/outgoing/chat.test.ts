import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PhotoGone } from '../../../../src/adapters/adapter.ts';
import { createUserActions } from '../../../../src/adapters/web/incoming/user-actions.ts';
import type { Message } from '../../../../src/adapters/web/outgoing/message.ts';
import type { Desk } from '../../../../src/command/desk.ts';
import { jobAudience, type Reply } from '../../../../src/command/reply.ts';
import type { View } from '../../../../src/command/view.ts';
import { line } from '../../../contract/adapter/views.ts';
import { eventually, holds } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { imageOf, jpeg } from '../../../fakes/pictures.ts';
import { createScriptedDesk } from '../../../fakes/scripted-desk.ts';
import { type Browser, openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb, studio } from '../../../fakes/web/open-web.ts';

const done = (bytes: Uint8Array): View => ({ tone: 'done', lines: ['AI-generated'], media: imageOf(bytes) });
const signal = AbortSignal.timeout(60_000);

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ text, view }) => text ?? view?.lines.flat().join(' ') ?? '');

/** The bot's first message that this person sees. */
const firstOf = (browser: Browser): Promise<Message> =>
  eventually(async () => (await browser.messages('studio')).find(({ from }) => from === 'bot'), 'a message');

describe('the chat of the playground', () => {
  it('the playground’s chat shows after a restart what was said', async () => {
    const before = await openWeb();

    before.desk.replies({ kind: 'card', job: 'job-1', view: line('one'), audience: 'everyone' });
    await (await openBrowser(before.url)).say('studio', '/faceswap 1');

    await holds(() => expect(before.desk.cards).toHaveLength(1));

    await before.stop();
    const after = await openBrowser((await openWeb({}, before.folder)).url);
    expect(textsOf(await after.messages('studio'))).toEqual(['/faceswap 1', 'one']);
  });

  it('the playground’s chat never stores a photo, keeps it in memory for an hour, and then says so', async () => {
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

  it('the playground’s chat forgets the oldest messages of a room, not the newest', async () => {
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

  it('the playground’s chat shows a command to others only with a public answer', async () => {
    const { url, desk } = await openWeb();
    const ann = await openBrowser(url, 'ann');
    const bob = await openBrowser(url, 'bob');
    const view = { ...line('sure?'), buttons: [[{ action: 'consent:1', label: 'Yes' }]] };
    const working = { kind: 'card', job: 'job-1', view: line('working'), audience: 'everyone' } as const;

    desk.replies({ kind: 'message', view, audience: 'caller' }, { ...working, replaces: true });
    await ann.say('studio', '/faceswap 1', [await jpeg()]);
    const question = await firstOf(ann);

    expect(await bob.messages('studio')).toEqual([]);

    const photo = (await ann.messages('studio'))[0]?.photos?.[0];
    expect((await bob.ask(`/media/${photo}`)).status).toBe(404);

    await ann.press(question, 'Yes');
    expect(textsOf(await bob.messages('studio'))).toEqual(['/faceswap 1', 'working']);
    expect((await bob.ask(`/media/${photo}`)).headers.get('content-type')).toBe('image/jpeg');
  });

  it('the playground’s chat reports an unknown command', async () => {
    const desk: Desk = { ...createScriptedDesk(), text: async () => undefined };
    const { url } = await openWeb({ desk });
    const ann = await openBrowser(url);

    await ann.say('studio', '/nonsense');
    await holds(async () =>
      expect(textsOf(await ann.messages('studio')).join()).toContain('There is no command /nonsense.'),
    );
  });

  it('a message in the playground’s chat is removed by moderators and its author, and nobody else', async () => {
    const { url, adapter } = await openWeb();

    await adapter.say({ place: studio }, line('for all'));
    const bob = await openBrowser(url, 'bob');
    const max = await openBrowser(url, 'max');
    const [message] = await bob.messages('studio');
    const wanted = { room: 'studio', message: message?.id };

    expect((await bob.post('/api/remove', wanted)).status).toBe(403);
    expect((await max.post('/api/remove', wanted)).status).toBe(200);
    expect(await bob.messages('studio')).toEqual([]);
  });
});

it('a person who deletes their data is told privately, although the message with the button was removed', async () => {
  const { url, desk, adapter } = await openWeb();
  const ann = await openBrowser(url);
  const bob = await openBrowser(url, 'bob');
  const buttons = [[{ action: 'erase:1', label: 'Delete' }]];

  desk.replies({ kind: 'message', view: { ...line('your data'), buttons }, audience: 'caller' }, async () => {
    await adapter.forget({ platform: 'web', id: 'ann', name: 'Ann', locale: 'en' });
    return { kind: 'replace', view: line('deleted') };
  });
  await ann.say('studio', '/privacy');
  await ann.press(await firstOf(ann), 'Delete');

  await holds(async () => expect(textsOf(await ann.messages('studio'))).toEqual(['deleted']));
  expect(await bob.messages('studio')).toEqual([]);
});

const card = (isPrivate: boolean): Reply => ({
  kind: 'card',
  job: 'job',
  view: { tone: 'busy', lines: ['in the making'] },
  audience: jobAudience(isPrivate),
});

it.each([
  { hidden: true, others: [] },
  { hidden: false, others: ['a swamp monster', undefined] },
])(
  'answers to a question are visible to others only if the job is (private: $hidden)',
  async ({ hidden, others }) => {
    const { url, desk } = await openWeb();
    const ann = await openBrowser(url, 'ann');
    const bob = await openBrowser(url, 'bob');

    desk.replies(card(hidden));
    await ann.say('studio', 'a swamp monster');

    await holds(async () => {
      const own = await ann.messages('studio');
      expect(own.map(({ pending }) => pending)).toEqual([undefined, undefined]);
    });
    expect((await bob.messages('studio')).map(({ text }) => text)).toEqual(others);
  },
);

it('an answer that cannot be shown is tried again after growing pauses', async () => {
  const clock = createFakeClock();
  const show = vi.fn(() => Promise.reject(new Error('the store is away')));
  const said = { id: 'ann.1', from: 'ann', at: clock.now() - 3 * 3_600_000, pending: 'en', text: 'hi' };
  const chat = { get: () => said, all: (room: string) => (room === 'studio' ? [said] : []) };
  const others = { desk: createScriptedDesk(), log: { error: () => undefined } };
  const { resume } = createUserActions({ ...others, clock, chat } as never, { show } as never);

  for (let second = 0; second < 3_600; second += 1) {
    resume(60_000);
    await clock.advance(1_000);
  }
  // It is shown at once and after 1, 3, 7, 15 and 31 minutes, and each time fails to say what went wrong.
  expect(show).toHaveBeenCalledTimes(12);
});

it('each person who is turned away is told alone, also those who knew it only of the chat before', async () => {
  const { url, desk } = await openWeb();
  const ann = await openBrowser(url, 'ann');
  const bob = await openBrowser(url, 'bob');
  const text = 'not here';

  desk.replies(
    { kind: 'chat-note', text },
    { kind: 'chat-told-before', text },
    { kind: 'told-before', text },
  );
  const textsFor = async (browser: Browser, count: number) =>
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
