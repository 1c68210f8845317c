import { expect, test } from 'vitest';
import { passUntil, setStage, setTimedStage, stage } from '../../../fakes/telegram/stage.ts';

const read = async (link: string): Promise<string | undefined> => stage.adapter.readLink?.(link);
const asked = (): readonly unknown[] =>
  stage.fake.calls.filter(({ method }) => method === 'getChat').map(({ values }) => values.chat_id);

/** The link for members that has the id of this group. */
const linkIn = ({ id }: { readonly id: number }, message: number): string =>
  `https://t.me/c/${-id - 1_000_000_000_000}/${message}`;

test.each([
  { what: 'the link that apps copy', link: 'https://t.me/Darkroom_Fans/45' },
  { what: 'one with a topic', link: 'https://t.me/darkroom_fans/7/45' },
  { what: 'one with a query', link: 'https://t.me/darkroom_fans/45?single' },
  { what: 'one of the pages for browsers', link: 'https://t.me/s/darkroom_fans/45' },
  { what: 'one of another address of Telegram', link: 'https://telegram.me/darkroom_fans/45' },
])('a public name in a link is resolved to the id of its chat: $what', async ({ link }) => {
  await setStage();
  const group = stage.fake.group('Fans', { username: 'darkroom_fans' });

  expect(await read(link)).toBe(linkIn(group, 45));
  expect(asked()).toHaveLength(1);
});

test.each([
  { what: 'a link that has the id of its chat', link: 'https://t.me/c/123/45' },
  { what: 'one with the id and a topic', link: 'https://t.me/c/123/7/45' },
  { what: 'a page of somebody else', link: 'https://example.com/darkroom_fans/45' },
  {
    what: 'a name that only begins like an address of Telegram',
    link: 'https://t.me.example.com/darkroom_fans/45',
  },
  { what: 'a comment, whose number counts in another chat', link: 'https://t.me/darkroom_fans/45?comment=7' },
  { what: 'a chat without a message', link: 'https://t.me/darkroom_fans' },
  { what: 'the number of a job', link: 'Zk3_0a-9bQ12xYz4' },
])('Telegram is not asked about other links: $what', async ({ link }) => {
  await setStage();
  stage.fake.group('Fans', { username: 'darkroom_fans' });

  expect(await read(link)).toBeUndefined();
  expect(asked()).toEqual([]);
});

test('of a link whose public name nobody has, the number of the message is left', async () => {
  await setStage();
  expect(await read('https://t.me/nobody_at_all/7/45')).toBe('https://t.me/nobody_at_all/45');
});

test('of a link whose name Telegram does not tell in time, the number of the message is left', async () => {
  const { clock } = await setTimedStage();
  stage.fake.group('Fans', { username: 'darkroom_fans' });
  stage.fake.fault({ method: 'getChat', kind: 429, retryAfter: 600 });
  let answer: string | undefined;
  void read('https://t.me/darkroom_fans/45').then((link) => {
    answer = link;
  });

  await passUntil(clock, 500, () => answer !== undefined);

  expect(answer).toBe('https://t.me/darkroom_fans/45');
  expect(asked()).toHaveLength(1);
});
