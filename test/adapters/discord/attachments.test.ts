import { describe, expect, test } from 'vitest';
import { type Adapter, PhotoGone } from '../../../src/adapters/adapter.ts';
import { attachmentRef, createHostCheck } from '../../../src/adapters/discord/payloads/photo-ref.ts';
import { UserError } from '../../../src/command/errors.ts';
import { openStage, picture, refusal, showCard, stage, until, useStage } from '../../fakes/discord/stage.ts';
import { serving } from '../../fakes/serving.ts';

const bytes = new Uint8Array([1, 2, 3, 4]);
useStage();

const never = new AbortController().signal;

const sentPhoto = async (): Promise<Parameters<Adapter['photo']>[0]> => {
  const photo = { name: 'me.png', type: 'image/png', bytes };
  await stage.fake.user('ann').slash('/faceswap', { photo }).answered();
  return until(() => {
    const photo = stage.desk.heard.at(-1)?.photos[0];
    if (photo?.from !== 'discord') throw new Error('not yet');
    return { ...photo, from: 'discord' as const };
  });
};

const expireAll = () => {
  for (const file of stage.fake.world.files.values()) file.expired = true;
};

const from = (url: string) => ({ from: 'discord', ref: attachmentRef({ url }) }) as const;

const aDayPasses = () => stage.clock.leap(25 * 3_600_000);
const refuseNewLinks = () => stage.fake.fault({ path: /refresh-urls/, kind: 'status', status: 404 });

test.each([
  ['with an expired link is fetched with a new one', () => expireAll()],
  ['with a link that says it expired is renewed first', () => aDayPasses()],
  [
    'with an expired link that cannot be renewed is tried with the old link',
    () => {
      aDayPasses();
      refuseNewLinks();
    },
  ],
])('a photo of Discord %s', async (_, happens) => {
  const ref = await sentPhoto();
  happens();
  expect(await stage.adapter.photo(ref, 4, never)).toEqual(bytes);
  expect(stage.fake.received.map((each) => each.path)).toContain('/attachments/refresh-urls');
});

test('the address of a result’s picture is found again through its message', async () => {
  const card = await showCard();
  const drawn = await stage.adapter.draw(card, picture(bytes), 'final');
  if (drawn.state !== 'drawn' || drawn.result?.from !== 'discord') throw new Error('no result');
  expireAll();
  refuseNewLinks();
  const looked = stage.adapter.photo({ ...drawn.result, from: 'discord' }, 4, never);

  await expect(looked).rejects.toThrow('no longer there');
  expect(stage.fake.received.map((each) => each.path).join()).toContain('refresh-urls');

  for (const file of stage.fake.world.files.values()) file.expired = false;
  aDayPasses();
  expect(await stage.adapter.photo({ ...drawn.result, from: 'discord' }, 4, never)).toEqual(bytes);
});

test('a photo of a deleted message is gone, and while Discord fails that is unknown', async () => {
  const drawn = await stage.adapter.draw(await showCard(), picture(bytes), 'final');

  if (drawn.state !== 'drawn' || drawn.result?.from !== 'discord') throw new Error('no result');
  const ref = { ...drawn.result, from: 'discord' as const };
  stage.fake.world.files.clear();
  stage.fake.world.messages.clear();

  await expect(stage.adapter.photo(ref, 4, never)).rejects.toThrow(PhotoGone);

  stage.fake.fault({ method: 'GET', path: /^\/channels/, ...refusal(403, 40333) });
  await expect(stage.adapter.photo(ref, 4, never)).rejects.not.toThrow(PhotoGone);
});

describe('is fetched from Discord’s hosts only', () => {
  test.each(['http://169.254.169.254/latest/meta-data', 'nonsense'])(
    'a photo is fetched from Discord’s hosts only, not from %s',
    async (url) => {
      await expect(stage.adapter.photo(from(url), 100, never)).rejects.toThrow(UserError);
    },
  );

  test('a redirect of a photo’s address is not followed', async () => {
    let asked = 0;

    const url = await serving((request, response) => {
      asked += 1;
      if (request.url === '/start') response.writeHead(302, { location: '/secret' }).end();
      else response.end('secret');
    });
    const cdnHost = new URL(url).host;

    expect(createHostCheck([cdnHost])(`${url}/start`)).toBe(true);

    const second = await openStage({ fake: { ...stage.fake, cdnHost } });
    await expect(second.adapter.photo(from(`${url}/start`), 100, never)).rejects.toThrow();
    expect(asked).toBe(1);

    await second.adapter.stop();
  });

  test('host names of photos are compared whole, with their port, and unencrypted only on this machine', () => {
    const isOurs = createHostCheck(['cdn.discordapp.com', 'media.discordapp.net:8443', 'plain.example']);
    expect(isOurs('https://cdn.discordapp.com/a.png')).toBe(true);
    expect(isOurs('https://CDN.discordapp.com:443/a.png')).toBe(true);
    expect(isOurs('https://media.discordapp.net:8443/a.png')).toBe(true);
    for (const other of [
      'https://evil.example/a.png',
      'file:///etc/passwd',
      'https://cdn.discordapp.com.evil.example/a.png',
      'https://cdn.discordapp.com:8080/a.png',
      'https://media.discordapp.net/a.png',
      'https://x.cdn.discordapp.com/a.png',
      'https://cdn.discordapp.com@evil.example/a.png',
      'https://user:word@cdn.discordapp.com/a.png',
      'http://plain.example/a.png',
    ])
      expect(isOurs(other)).toBe(false);
  });
});

test('the download of a photo can be aborted', async () => {
  const ref = await sentPhoto();
  await expect(stage.adapter.photo(ref, 4, AbortSignal.abort(new Error('stopped')))).rejects.toThrow();
});
