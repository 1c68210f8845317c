import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { imageOf } from '../../contract/adapter/pictures.ts';
import { holds } from '../../eventually.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import { createFolder, openWeb } from '../../fakes/web/open-web.ts';

const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(600, 'somebody’s photo ')]);

const compared: Reply = {
  kind: 'message',
  audience: 'everyone',
  view: { tone: 'done', lines: ['Before / after'], media: imageOf(bytes, { showsPhoto: true }) },
};

it('a picture that shows a photo is in memory only, for those who see its message', async () => {
  const folder = createFolder();
  const { url, desk, stop } = await openWeb({}, folder);

  const [ann, bob, kim] = await Promise.all(['ann', 'bob', 'kim'].map((who) => openBrowser(url, who)));
  if (ann === undefined || bob === undefined || kim === undefined) throw new Error('nobody');
  desk.replies(compared);
  await ann.say('studio', '/compare');
  const shownIn = (room: string, to: Browser): Promise<string> =>
    holds(async () => {
      const media = (await to.messages(room)).findLast(({ view }) => view?.media !== undefined)?.view?.media;
      if (media === undefined || media.kind === 'link') throw new Error('There is none.');
      return media.id;
    });

  const id = await shownIn('studio', bob);
  const got = await bob.ask(`/media/${id}`);

  expect(Buffer.from(await got.arrayBuffer())).toEqual(bytes);
  expect(got.headers.get('content-type')).toBe('image/jpeg');
  expect((await kim.ask(`/media/${id}`)).status).toBe(404);

  const part = bytes.subarray(99, 150);
  const traces = [part, ...[0, 1, 2].map((from) => part.subarray(from, from + 45).toString('base64'))];
  const disk = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
  expect(disk.includes('Before / after')).toBe(true);
  expect(traces.filter((trace) => disk.includes(trace))).toEqual([]);

  await stop();
  const later = await openWeb({}, folder);
  const again = await openBrowser(later.url, 'ann');
  const [message] = (await again.messages('studio')).filter(({ view }) => view?.media !== undefined);

  expect((message as Message & { readonly lost?: readonly string[] }).lost).toEqual([id]);
  expect((await again.ask(`/media/${id}`)).status).toBe(410);

  // It goes with its person.
  later.desk.replies(compared);
  await again.say('dm-ann', '/compare');
  const own = await shownIn('dm-ann', again);
  await later.adapter.forget({ platform: 'web', id: 'ann', name: 'Ann', locale: 'en' });

  await expect(
    later.adapter.photo({ from: 'web', ref: own }, 1_000, new AbortController().signal),
  ).rejects.toThrow();
});
