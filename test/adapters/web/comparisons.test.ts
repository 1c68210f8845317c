import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { holds } from '../../eventually.ts';
import { imageOf } from '../../fakes/pictures.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import { createFolder, openWeb } from '../../fakes/web/open-web.ts';

const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(600, 'somebody’s photo ')]);

const compared: Reply = {
  kind: 'message',
  audience: 'everyone',
  view: { tone: 'done', lines: ['Before / after'], media: imageOf(bytes, { showsPhoto: true }) },
};

/** The id of the picture in the newest message with one. */
const pictureIn = (room: string, seenBy: Browser): Promise<string> =>
  holds(async () => {
    const messages = await seenBy.messages(room);
    const media = messages.findLast(({ view }) => view?.media !== undefined)?.view?.media;
    if (media === undefined || media.kind === 'link') throw new Error('There is none.');
    return media.id;
  });

/** A playground in which Ann has compared a result with her photo. */
const withComparison = async (room: string, folder = createFolder()) => {
  const web = await openWeb({}, folder);
  const ann = await openBrowser(web.url, 'ann');
  web.desk.replies(compared);
  await ann.say(room, '/compare');
  const picture = await pictureIn(room, ann);
  return { ...web, folder, ann, picture };
};

it('a picture that shows a photo is for those who see its message', async () => {
  const { url, picture } = await withComparison('studio');
  const inTheRoom = await openBrowser(url, 'bob');
  const elsewhere = await openBrowser(url, 'kim');

  const got = await inTheRoom.ask(`/media/${picture}`);

  expect(Buffer.from(await got.arrayBuffer())).toEqual(bytes);
  expect(got.headers.get('content-type')).toBe('image/jpeg');
  expect((await elsewhere.ask(`/media/${picture}`)).status).toBe(404);
});

it('a picture that shows a photo is not stored, and its message is', async () => {
  const { folder } = await withComparison('studio');
  const part = bytes.subarray(99, 150);

  const disk = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));

  expect(disk.includes('Before / after')).toBe(true);
  expect(disk.includes(part)).toBe(false);
  // In Base64 three bytes become four signs, so that the same bytes look different by where they begin.
  expect(disk.includes(part.subarray(0, 45).toString('base64'))).toBe(false);
  expect(disk.includes(part.subarray(1, 46).toString('base64'))).toBe(false);
  expect(disk.includes(part.subarray(2, 47).toString('base64'))).toBe(false);
});

it('a picture that shows a photo is lost with its process, and its message says so', async () => {
  const before = await withComparison('studio');
  await before.stop();

  const after = await openWeb({}, before.folder);
  const ann = await openBrowser(after.url, 'ann');
  const [message] = (await ann.messages('studio')).filter(({ view }) => view?.media !== undefined);

  expect(message).toMatchObject({ lost: [before.picture] });
  expect((await ann.ask(`/media/${before.picture}`)).status).toBe(410);
});

it('a picture that shows a photo is deleted with the data of its person', async () => {
  const { adapter, picture } = await withComparison('dm-ann');
  const fetchPicture = () =>
    adapter.photo({ from: 'web', ref: picture }, 1_000, new AbortController().signal);
  expect(Buffer.from(await fetchPicture())).toEqual(bytes);

  await adapter.forget({ platform: 'web', id: 'ann', name: 'Ann', locale: 'en' });

  await expect(fetchPicture()).rejects.toThrow();
});
