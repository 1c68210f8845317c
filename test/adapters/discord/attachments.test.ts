import { describe, expect, test } from 'vitest';
import { type Adapter, PhotoGone } from '../../../src/adapters/adapter.ts';
import { attachmentRef, createHostCheck } from '../../../src/adapters/discord/payloads/photo-ref.ts';
import { UserError } from '../../../src/command/errors.ts';
import { openStage, picture, refusal, showCard, stage, until, useStage } from '../../fakes/discord/stage.ts';
import { serving } from '../../fakes/serving.ts';

const bytes = new Uint8Array([1, 2, 3, 4]);
useStage();

const never = new AbortController().signal;

type PhotoRef = Parameters<Adapter['photo']>[0];

/** What the desk hears of a photo that Ann attaches to a command. */
const sentPhoto = async (): Promise<PhotoRef> => {
  const photo = { name: 'me.png', type: 'image/png', bytes };
  await stage.fake.user('ann').types('/faceswap', { photo }).answered();
  return until(() => {
    const photo = stage.desk.heard.at(-1)?.photos[0];
    if (photo?.from !== 'discord') throw new Error('not yet');
    return { ...photo, from: 'discord' as const };
  });
};

const setExpired = (expired: boolean) => {
  for (const file of stage.fake.world.files.values()) file.expired = expired;
};

/** The picture of a result that was drawn. */
const shownResult = async (): Promise<PhotoRef> => {
  const drawn = await stage.adapter.draw(await showCard(), picture(bytes), 'final');
  if (drawn.state !== 'drawn' || drawn.result?.from !== 'discord') throw new Error('no result');
  return { ...drawn.result, from: 'discord' };
};

const photoAt = (url: string) => ({ from: 'discord', ref: attachmentRef({ url }) }) as const;
const requestedPaths = () => stage.fake.received.map((each) => each.path);

const aDayPasses = () => stage.clock.leap(25 * 3_600_000);
const refuseNewLinks = () => stage.fake.fault({ path: /refresh-urls/, kind: 'status', status: 404 });

test.each([
  { what: 'with an expired link is fetched with a new one', happens: () => setExpired(true) },
  { what: 'with a link that says it expired is renewed first', happens: () => aDayPasses() },
  {
    what: 'with an expired link that cannot be renewed is tried with the old link',
    happens: () => {
      aDayPasses();
      refuseNewLinks();
    },
  },
])('a photo of Discord $what', async ({ happens }) => {
  const ref = await sentPhoto();
  happens();

  const photo = await stage.adapter.photo(ref, 4, never);

  expect(photo).toEqual(bytes);
  expect(requestedPaths()).toContain('/attachments/refresh-urls');
});

test('the address of a result’s picture is found again through its message', async () => {
  const ref = await shownResult();
  refuseNewLinks();

  setExpired(true);
  const whileExpired = stage.adapter.photo(ref, 4, never);
  await expect(whileExpired).rejects.toThrow('no longer there');
  expect(requestedPaths()).toContain('/attachments/refresh-urls');

  setExpired(false);
  aDayPasses();
  expect(await stage.adapter.photo(ref, 4, never)).toEqual(bytes);
});

test('a photo of a deleted message is gone, and while Discord fails that is unknown', async () => {
  const ref = await shownResult();
  stage.fake.world.files.clear();
  stage.fake.world.messages.clear();

  await expect(stage.adapter.photo(ref, 4, never)).rejects.toThrow(PhotoGone);

  stage.fake.fault({ method: 'GET', path: /^\/channels/, ...refusal(403, 40333) });
  await expect(stage.adapter.photo(ref, 4, never)).rejects.not.toThrow(PhotoGone);
});

describe('the hosts of photos', () => {
  test.each(['http://169.254.169.254/latest/meta-data', 'nonsense'])(
    'a photo is fetched from Discord’s hosts only, not from %s',
    async (url) => {
      await expect(stage.adapter.photo(photoAt(url), 100, never)).rejects.toThrow(UserError);
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

    await expect(second.adapter.photo(photoAt(`${url}/start`), 100, never)).rejects.toThrow();
    expect(asked).toBe(1);

    await second.adapter.stop();
  });

  const isOurs = createHostCheck(['cdn.discordapp.com', 'media.discordapp.net:8443', 'plain.example']);

  test.each([
    'https://cdn.discordapp.com/a.png',
    'https://CDN.discordapp.com:443/a.png',
    'https://media.discordapp.net:8443/a.png',
  ])('a photo may be fetched from a host of Discord: %s', (url) => {
    expect(isOurs(url)).toBe(true);
  });

  test.each([
    'https://evil.example/a.png',
    'file:///etc/passwd',
    'https://cdn.discordapp.com.evil.example/a.png',
    'https://cdn.discordapp.com:8080/a.png',
    'https://media.discordapp.net/a.png',
    'https://x.cdn.discordapp.com/a.png',
    'https://cdn.discordapp.com@evil.example/a.png',
    'https://user:word@cdn.discordapp.com/a.png',
  ])('a photo is not fetched from a host that only resembles one of Discord: %s', (url) => {
    expect(isOurs(url)).toBe(false);
  });

  test('a photo is not fetched unencrypted from another machine', () => {
    expect(isOurs('http://plain.example/a.png')).toBe(false);
  });
});

test('the download of a photo can be aborted', async () => {
  const ref = await sentPhoto();
  const aborted = AbortSignal.abort(new Error('stopped'));

  await expect(stage.adapter.photo(ref, 4, aborted)).rejects.toThrow('stopped');
});
