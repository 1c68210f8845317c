import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';
import type { Reply } from '../../../src/command/reply.ts';
import type { Tile } from '../../../src/command/view.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createScriptedDesk } from '../../fakes/scripted-desk.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import { createFolder, openWeb } from '../../fakes/web/open-web.ts';

const url = (name: string): string => `https://previews.example/${name}.jpg`;
const pictures = new Map([[url('1'), new Uint8Array([0xff, 0xd8, 0xff, 1])]]);

const tiles = [
  { action: 'use:draft:f:1', label: '1', name: 'Pop Art', preview: url('1') },
  { action: 'use:draft:f:2', label: '2', name: 'Mosaic', preview: url('slow') },
  { action: 'use:draft:f:3', label: '3', name: 'Long', preview: url('x'.repeat(3_000)) },
  { action: 'use:draft:f:x', label: 'A', name: 'Mine' },
];

const list: Reply = {
  kind: 'message',
  view: { tone: 'info', title: 'Filters', lines: [], tiles },
  audience: 'caller',
};

/** A preview that notes the addresses that are asked for. */
const createPreview = () => {
  const asked: string[] = [];
  const preview = async (from: string): Promise<Uint8Array | undefined> => {
    asked.push(from);
    return pictures.get(from);
  };
  return { asked, preview };
};

const shownTo = (browser: Browser): Promise<Message> =>
  eventually(async () => (await browser.messages('studio')).find(({ view }) => view?.tiles), 'tiles');

const idsIn = ({ view }: Message): readonly string[] =>
  (view?.tiles ?? []).flatMap(({ preview }) => (preview === undefined ? [] : [preview]));

/** Ann has asked for the filters. */
const openList = async (options: Parameters<typeof openWeb>[0] = {}, folder = createFolder()) => {
  const { asked, preview } = createPreview();
  const web = await openWeb({ preview, ...options }, folder);
  const ann = await openBrowser(web.url, 'ann');
  web.desk.replies(list);
  await ann.say('studio', '/filters');
  const message = await shownTo(ann);
  const [first = '', slow = ''] = idsIn(message);
  return { ...web, asked, ann, message, first, slow };
};

describe('the previews of tiles', () => {
  it('previews have ids in messages, and no address leaves the server and no picture is stored', async () => {
    const { ann, message, first, folder } = await openList();
    expect(message.view?.tiles).toEqual([
      { ...tiles[0], preview: expect.stringMatching(/^[\w-]{22}$/) },
      { ...tiles[1], preview: expect.stringMatching(/^[\w-]{22}$/) },
      { action: 'use:draft:f:3', label: '3', name: 'Long' },
      tiles[3],
    ]);

    const stream = await ann.listen();
    onTestFinished(() => stream.close());
    expect(JSON.stringify([message, stream.seen('studio')])).not.toContain('previews.example');

    await ann.ask(`/api/preview/${first}`);
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
    expect(stored.join()).toContain('previews.example/1.jpg');
    expect(stored.join()).not.toContain('x'.repeat(3_000));
    expect(stored.join()).not.toContain(Buffer.from([...pictures.values()][0] ?? []).toString('base64'));
  });

  it('previews are served as JPEG to everybody who sees the message, and may be cached by that browser', async () => {
    const { ann, first } = await openList();
    const served = await ann.ask(`/api/preview/${first}`);
    expect(served.status).toBe(200);
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(pictures.get(url('1')));

    const header = (name: string) => served.headers.get(name);
    expect(header('content-type')).toBe('image/jpeg');
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('content-security-policy')).toContain("default-src 'none'");
    expect(header('cache-control')).toMatch(/^private, max-age=\d+$/);

    const again = await ann.ask(`/api/preview/${first}`, {
      headers: { 'if-none-match': header('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('previews are not served to others, nor without a session, nor under other ids', async () => {
    const { ann, url: base, first, asked, message } = await openList();
    const status = async (browser: Browser, id: string): Promise<number> =>
      (await browser.ask(`/api/preview/${id}`)).status;

    const bob = await openBrowser(base, 'bob');

    expect(await status(bob, first)).toBe(404);
    expect((await fetch(`${base}/api/preview/${first}`)).status).toBe(401);

    const forged = [
      Buffer.from(url('1')).toString('base64url'),
      encodeURIComponent(url('1')),
      '..%2F..%2Fmedia',
      'constructor',
      '__proto__',
      `${first}A`,
    ];
    for (const id of forged) expect(await status(ann, id), id).toBe(404);
    expect(asked).toEqual([]);

    await ann.post('/api/remove', { room: 'studio', message: message.id });
    expect(await status(ann, first)).toBe(404);
    expect(asked).toEqual([]);
  });

  it('previews are served to a page that does not know yet that the message was replaced', async () => {
    const { ann, url: base, desk, first, message } = await openList();
    const bob = await openBrowser(base, 'bob');

    desk.replies({ kind: 'replace', view: { tone: 'info', lines: ['page 2'] } });
    await ann.press(message, '1');
    const shown = (await ann.messages('studio')).find(({ id }) => id === message.id);

    expect(shown?.view).toEqual({ tone: 'info', lines: [['page 2']] });
    expect((await ann.ask(`/api/preview/${first}`)).status).toBe(200);
    expect((await bob.ask(`/api/preview/${first}`)).status).toBe(404);
  });

  it('previews that are missing or late are empty, not cached, and no error', async () => {
    const { ann, slow, asked } = await openList();
    const empty = await ann.ask(`/api/preview/${slow}`);
    expect(empty.status).toBe(204);
    expect(empty.headers.get('cache-control')).toBe('no-store');
    expect(asked).toEqual([url('slow')]);

    const clock = createFakeClock();
    const asking = Promise.withResolvers<void>();
    const preview = (): Promise<undefined> => {
      asking.resolve();
      return new Promise(() => undefined);
    };

    const late = await openList({ clock, preview });
    const waiting = late.ann.ask(`/api/preview/${late.first}`);
    await asking.promise;
    await clock.advance(300);

    expect((await waiting).status).toBe(204);
  });

  it('previews for one network address take turns, and no more than 30 are waited for at once', async () => {
    const waiting = Promise.withResolvers<Uint8Array | undefined>();
    let count = 0;
    const preview = (): Promise<Uint8Array | undefined> => {
      count += 1;
      return waiting.promise;
    };

    const { ann, first } = await openList({ preview, clock: createFakeClock() });
    const all = Array.from({ length: 40 }, () => ann.ask(`/api/preview/${first}`));

    await eventually(() => count === 30, 'as many as allowed');
    expect((await ann.ask('/api/session')).status).toBe(200);
    expect(count).toBe(30);

    waiting.resolve(pictures.get(url('1')));
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  });

  it('previews have the same ids after a restart, so that browsers can cache them', async () => {
    const before = await openList();

    await before.stop();
    const { first } = await openList({}, before.folder);

    expect(first).toBe(before.first);
  });
});

it('tiles go with their question when it is answered in writing', async () => {
  const { url: base, desk } = await openWeb();
  const ann = await openBrowser(base, 'ann');
  const question = { option: 'filter', label: 'Filter', kind: 'reference' } as const;
  const view = { tone: 'ask', lines: ['Which one?'], tiles } as const;

  desk.replies({ kind: 'ask', draft: 'draft', questions: [question], view, audience: 'everyone' });
  await ann.say('studio', '/faceswap');
  const asked = await shownTo(ann);
  desk.replies({
    kind: 'card',
    job: 'job-1',
    view: { tone: 'busy', lines: ['waiting'] },
    audience: 'everyone',
  });
  const answers = { filter: 'Mosaic' };
  await ann.post('/api/answer', { id: 'ijklmnop', room: 'studio', draft: 'draft', answers });
  const after = (await ann.messages('studio')).find(({ id }) => id === asked.id);

  expect(after?.view).toEqual({ tone: 'ask', lines: [['Which one?']] });
});

it('others who see a question in a room do not get the choices of its form, which tell what its person made in private', async () => {
  const { url: base, desk } = await openWeb();
  const ann = await openBrowser(base, 'ann');
  const bob = await openBrowser(base, 'bob');
  const choices = [{ value: '21', label: '21 · Secret' }];
  const question = { option: 'filter', label: 'Filter', kind: 'reference', choices } as const;
  const view = { tone: 'ask', lines: ['Which one?'], tiles } as const;

  desk.replies({ kind: 'ask', draft: 'draft', questions: [question], view, audience: 'everyone' });
  await ann.say('studio', '/faceswap');
  await shownTo(ann);

  const seen = JSON.stringify(await bob.messages('studio'));
  expect(seen).toContain('Which one?');
  expect(seen).not.toContain('Secret');
});

const offered = [
  { value: '1', label: '1 · Pop Art', preview: url('1') },
  { value: 'halloween', label: 'halloween', preview: url('x'.repeat(3_000)) },
  { value: '2', label: '2 · Without a picture' },
];

it('filters of an empty room are tiles that send lines; their pictures are served without any message', async () => {
  const { asked, preview } = createPreview();
  const others: typeof offered = [];
  const desk = {
    ...createScriptedDesk(),
    complete: async (_: unknown, limit: number) => [...others.slice(0, limit - 3), ...offered],
  };
  const web = await openWeb({ preview, desk });
  const ann = await openBrowser(web.url, 'ann');

  const filters = await (await ann.ask('/api/filters?room=studio')).json();
  const { tiles } = filters as { tiles: [Tile, Tile] };
  const anId = expect.stringMatching(/^[\w-]{22}$/);

  expect(tiles).toEqual([
    { action: '/faceswap filter=1', label: '1', name: 'Pop Art', preview: anId },
    { action: '/faceswap filter=halloween', label: 'A', name: 'halloween' },
  ]);

  const served = await ann.ask(`/api/preview/${tiles[0].preview}`);
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(pictures.get(url('1')));

  // Other filters come first meanwhile.
  for (let index = 0; index < 30; index += 1)
    others.push({ value: `${index}`, label: 'other', preview: url(`other${index}`) });
  expect((await ann.ask(`/api/preview/${tiles[0].preview}`)).status).toBe(200);
  expect(asked).toEqual([url('1'), url('1')]);
  expect((await fetch(`${web.url}/api/filters?room=studio`)).status).toBe(401);
  expect((await ann.ask('/api/filters?room=nowhere')).status).toBe(404);
});
