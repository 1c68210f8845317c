import { describe, expect, test } from 'vitest';
import { buttonsOf, createFakeChat, photo, photo2, uuid } from '../../fakes/call.ts';

const royal = { by: 'number', id: 3, name: 'Travel Poster' };

const made = async (line: string, ...photos: (typeof photo)[]) => {
  const chat = createFakeChat();
  const said = await chat.type(line, ...photos);
  return { said, requests: chat.state.generated.map(({ request }) => request), chat };
};

describe('/groupswap', () => {
  test.each([
    ['/groupswap 3', { kind: 'multi-swap-realistic', photo, style: royal, outpaint: false }],
    ['/groupswap 3 outpaint=yes', { kind: 'multi-swap-realistic', photo, style: royal, outpaint: true }],
    [
      '/groupswap Travel Poster stylized',
      { kind: 'multi-swap-stylized', photo, style: royal, outpaint: false },
    ],
    ['/groupswap halloween', { kind: 'multi-swap-realistic', style: { by: 'alias', name: 'halloween' } }],
    [
      '/groupswap a rock band',
      { kind: 'multi-swap-realistic-prompt', photos: [photo], prompt: 'a rock band' },
    ],
    ['/groupswap stylized a rock band', { kind: 'multi-swap-stylized-prompt', photos: [photo] }],
    ['/groupswap 3 classic', { kind: 'multi-swap-classic', photos: [photo], style: royal }],
  ])('%s', async (line, request) => {
    expect((await made(line, photo)).requests).toMatchObject([request]);
  });

  test('several photos go to the classic look and to a prompt', async () => {
    expect((await made('/groupswap 3 classic', photo, photo2)).requests).toMatchObject([
      { kind: 'multi-swap-classic', photos: [photo, photo2] },
    ]);
    expect((await made('/groupswap a rock band', photo, photo2)).requests).toMatchObject([
      { kind: 'multi-swap-realistic-prompt', photos: [photo, photo2] },
    ]);
  });

  test.each([
    ['/groupswap 3 prompt="a band"', /either "style" or "prompt"/],
    ['/groupswap classic prompt="a band"', /does not take a prompt/],
    [`/groupswap ${uuid} classic`, /catalog styles only/],
    ['/groupswap halloween classic', /catalog styles only/],
    ['/groupswap 3 classic outpaint', /"outpaint" works with a style/],
    ['/groupswap prompt="a band" outpaint=yes', /"outpaint" works with a style/],
    ['/groupswap 3 look=baroque', /realistic, stylized, classic/],
  ])('%s is refused', async (line, words) => {
    const { said, requests } = await made(line, photo);
    expect(said).toMatch(words);
    expect(requests).toEqual([]);
  });

  test('more than one photo option with a style of another look is refused', async () => {
    const line = '/groupswap 3 photo2=https://example.com/a.jpg';
    expect((await made(line, photo)).said).toMatch(/look classic or with a prompt/);
  });

  test('only valid options are asked for: a prompt for several photos, a style for the classic look', async () => {
    const several = await made('/groupswap photo2=https://example.com/a.jpg', photo);
    expect(several.said).toMatch(/\(prompt\)/);
    await several.chat.type('a rock band');
    expect(several.chat.state.generated).toMatchObject([{ request: { photos: [photo, { from: 'link' }] } }]);
    const instead = 'Give "prompt" instead';
    const labels = async (line: string) =>
      buttonsOf((await made(line, photo)).chat.last).map(({ label }) => label);
    for (const line of ['/groupswap Classic', '/groupswap outpaint', '/faceswap v5', '/faceswap v6 female'])
      expect(await labels(line)).not.toContain(instead);
    for (const line of ['/groupswap stylized', '/groupswap outpaint=no', '/faceswap engine=v6'])
      expect(await labels(line)).toContain(instead);
  });

  test('the style is asked for', async () => {
    const { chat } = await made('/groupswap', photo);
    await chat.choose('3 · Travel Poster');
    expect(chat.state.generated).toMatchObject([{ request: { kind: 'multi-swap-realistic', style: royal } }]);
  });
});

describe('/animate', () => {
  test.each([
    ['/animate the sea', { model: 'advanced', duration: '4s', aspect: 'auto', prompt: 'the sea' }],
    ['/animate the sea 8s', { model: 'advanced', duration: '8s' }],
    ['/animate simple the sea', { model: 'simple', duration: '4s' }],
    ['/animate the sea performance 9:16 6s', { model: 'performance', duration: '6s', aspect: '9:16' }],
  ])('%s', async (line, request) => {
    expect((await made(line, photo)).requests).toMatchObject([
      { kind: 'single-frame-video', photo, ...request },
    ]);
  });

  test.each([
    ['/animate the sea 16:9', /needs model performance/],
    ['/animate the sea simple 3:2', /needs model performance/],
    ['/animate simple 6s the sea', /4s videos only/],
    [`/animate prompt="${'x'.repeat(1001)}"`, /at most 1000/],
    ['/animate prompt="  "', /is empty/],
    ['/animate the sea duration=5s', /4s, 6s, 8s/],
  ])('%s is refused', async (line, words) => {
    const { said, requests } = await made(line, photo);
    expect(said).toMatch(words);
    expect(requests).toEqual([]);
  });
});

describe('/transition', () => {
  test('leads from the first photo to the last', async () => {
    expect((await made('/transition a smooth morph 6s', photo, photo2)).requests).toEqual([
      {
        kind: 'first-last-frame-video',
        first: photo,
        last: photo2,
        prompt: 'a smooth morph',
        duration: '6s',
      },
    ]);
  });

  test('asks for what is missing, in order', async () => {
    const { chat, said } = await made('/transition', photo);
    expect(said).toMatch(/ends with/);
    expect(await chat.type('', photo2)).toMatch(/in between/);
    await chat.choose('Time passes quickly in between');
    expect(chat.state.generated).toMatchObject([
      { request: { first: photo, last: photo2, prompt: 'Time passes quickly in between', duration: '4s' } },
    ]);
  });
});

test('limits are stated without a usage example', async () => {
  const { UserError } = await import('../../../src/command/errors.ts');
  const chat = createFakeChat();
  chat.state.ports = {
    generate: async () => {
      throw new UserError('You have no credits left today.');
    },
  };
  expect(await chat.type('/animate the sea', photo)).toBe('You have no credits left today.');
});
