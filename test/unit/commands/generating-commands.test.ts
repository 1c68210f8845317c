import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/command/errors.ts';
import { ann, createFakeChat, direct, labelsOf, photo, photo2, uuid } from '../../fakes/call.ts';

const popArt = { by: 'number', id: 12, name: 'Pop Art' };
const royal = { by: 'number', id: 3, name: 'Travel Poster' };

const made = async (line: string, ...photos: (typeof photo)[]) => {
  const chat = createFakeChat();
  const said = await chat.type(line, ...photos);
  return { said, requests: chat.state.generated.map(({ request }) => request), chat };
};

const expectRefused = async (line: string, words: RegExp, ...photos: (typeof photo)[]): Promise<void> => {
  const { said, requests, chat } = await made(line, ...photos);
  expect(said).toMatch(words);
  expect(requests).toEqual([]);
  expect(chat.last).toMatchObject({ kind: 'message', view: { tone: 'failed' } });
};

describe('/faceswap', () => {
  test.each([
    {
      line: '/faceswap Female 12',
      request: { kind: 'face-swap-v6', photo, filter: popArt, gender: 'female' },
    },
    { line: '/faceswap 12 male v5 square', request: { kind: 'face-swap-v5', photo, ratio: 'square' } },
    {
      line: '/faceswap 12 male engine=V1 private',
      request: { kind: 'face-swap-v1', photo, filter: popArt, gender: 'male' },
    },
    {
      line: '/faceswap an astronaut landscape',
      request: { kind: 'self-prompt', prompt: 'an astronaut', ratio: 'landscape' },
    },
  ])('$line asks the service for what was typed', async ({ line, request }) => {
    expect((await made(line, photo)).requests).toMatchObject([request]);
  });

  test('/faceswap makes a private result if that was typed, and else one for everybody', async () => {
    const open = await made('/faceswap 12 male', photo);
    const hidden = await made('/faceswap 12 male private', photo);

    expect(open.chat.state.generated).toMatchObject([{ private: false }]);
    expect(hidden.chat.state.generated).toMatchObject([{ private: true }]);
  });

  test('/faceswap looks numbers of the oldest engine up in its own list', async () => {
    const chat = createFakeChat();
    const lists: string[] = [];

    chat.state.ports = {
      reference: async (text, model, list) => {
        lists.push(`${text} ${model} ${list}`);
        return { by: 'number', id: 12, name: 'Pop Art' };
      },
    };
    await chat.type('/faceswap 12 male v1', photo);
    await chat.type('/faceswap 12 male v5', photo);

    expect(lists).toEqual(['12 face face-v1', '12 face face']);
  });

  test.each([
    { line: '/faceswap 12 male prompt="a pirate"', words: /either "filter" or "prompt"/ },
    { line: '/faceswap 12 male v5 v6.1', words: /engine v6 only/ },
    { line: '/faceswap prompt="a pirate" engine=v1', words: /filters only/ },
    { line: '/faceswap 12 gender=alien', words: /male, female, boy, girl, group/ },
    { line: '/faceswap halloweeen', words: /no filter halloweeen/ },
  ])('$line is refused, with its photo and before one is asked for', async ({ line, words }) => {
    await expectRefused(line, words, photo);
    await expectRefused(line, words);
  });

  test.each([`/faceswap ${uuid} group`, '/faceswap halloween group', `/faceswap ${uuid} male quality=v6`])(
    '%s is refused, because that works with catalog filters only',
    async (line) => {
      await expectRefused(line, /catalog filters only/, photo);
    },
  );

  test('/faceswap answers an error with the right form and an example', async () => {
    const said = await createFakeChat().type('/faceswap 12 ratio=round', photo);
    expect(said).toContain('/faceswap photo|face filter|prompt [gender]');
    expect(said).toContain('/faceswap 12 female');
  });

  test('/faceswap asks for missing options one after the other, with buttons', async () => {
    const chat = createFakeChat(ann, direct);
    expect(await chat.type('/faceswap')).toMatch(/Send the photo/);
    expect(await chat.type('', photo)).toMatch(/Choose one/);

    await chat.choose('12 · Pop Art');
    await chat.choose('boy');
    expect(chat.state.generated).toMatchObject([
      { request: { kind: 'face-swap-v6', photo, filter: popArt, gender: 'boy' }, event: 'event-1' },
    ]);
    expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
  });

  test('/faceswap takes a prompt instead of the filter that it asks for', async () => {
    const chat = createFakeChat();

    await chat.type('/faceswap', photo);
    await chat.choose('Give "prompt" instead');
    await chat.type('a knight in the rain');

    expect(chat.state.generated[0]?.request).toMatchObject({
      kind: 'self-prompt',
      prompt: 'a knight in the rain',
    });
  });

  test('/faceswap explains a misspelt written answer, which can be given again', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap male', photo);
    expect(await chat.type('Pop Arrt')).toMatch(/no filter Pop Arrt/);

    await chat.type('Pop Art');
    expect(chat.state.generated[0]?.request).toMatchObject({ filter: popArt, gender: 'male' });
  });
});

describe('/groupswap', () => {
  test.each([
    { line: '/groupswap 3', request: { kind: 'multi-swap-realistic', photo, style: royal, outpaint: false } },
    {
      line: '/groupswap 3 outpaint=yes',
      request: { kind: 'multi-swap-realistic', photo, style: royal, outpaint: true },
    },
    {
      line: '/groupswap Travel Poster stylized',
      request: { kind: 'multi-swap-stylized', photo, style: royal, outpaint: false },
    },
    {
      line: '/groupswap halloween',
      request: { kind: 'multi-swap-realistic', style: { by: 'alias', name: 'halloween' } },
    },
    {
      line: '/groupswap a big band',
      request: { kind: 'multi-swap-realistic-prompt', photos: [photo], prompt: 'a big band' },
    },
    {
      line: '/groupswap stylized a rock band',
      request: { kind: 'multi-swap-stylized-prompt', photos: [photo] },
    },
    { line: '/groupswap 3 classic', request: { kind: 'multi-swap-classic', photos: [photo], style: royal } },
  ])('$line asks the service for what was typed', async ({ line, request }) => {
    expect((await made(line, photo)).requests).toMatchObject([request]);
  });

  test('/groupswap takes several photos for the classic look and for a prompt', async () => {
    expect((await made('/groupswap 3 classic', photo, photo2)).requests).toMatchObject([
      { kind: 'multi-swap-classic', photos: [photo, photo2] },
    ]);
    expect((await made('/groupswap a rock band', photo, photo2)).requests).toMatchObject([
      { kind: 'multi-swap-realistic-prompt', photos: [photo, photo2] },
    ]);
  });

  test.each([
    { line: '/groupswap 3 prompt="a band"', words: /either "style" or "prompt"/ },
    { line: '/groupswap classic prompt="a band"', words: /does not take a prompt/ },
    { line: '/groupswap 3 classic outpaint', words: /"outpaint" works with a style/ },
    { line: '/groupswap prompt="a band" outpaint=yes', words: /"outpaint" works with a style/ },
    { line: '/groupswap 3 look=baroque', words: /realistic, stylized, classic/ },
    { line: '/groupswap 3 photo2=https://example.com/a.jpg', words: /look classic or with a prompt/ },
  ])('$line is refused, with its photo and before one is asked for', async ({ line, words }) => {
    await expectRefused(line, words, photo);
    await expectRefused(line, words);
  });

  test.each([`/groupswap ${uuid} classic`, '/groupswap halloween classic'])(
    '%s is refused, because that look works with catalog styles only',
    async (line) => {
      await expectRefused(line, /catalog styles only/, photo);
    },
  );

  test('/groupswap with several photos asks for a prompt, because one style takes one photo', async () => {
    const several = await made('/groupswap photo2=https://example.com/a.jpg', photo);
    expect(several.said).toMatch(/\(prompt\)/);

    await several.chat.type('a rock band');
    expect(several.chat.state.generated).toMatchObject([{ request: { photos: [photo, { from: 'link' }] } }]);
  });

  test.each(['/groupswap Classic', '/groupswap outpaint', '/faceswap v5', '/faceswap v6 female'])(
    '%s does not offer a prompt instead, because the options that were given work without one only',
    async (line) => {
      const { chat } = await made(line, photo);

      expect(labelsOf(chat.last)).not.toContain('Give "prompt" instead');
    },
  );

  test.each(['/groupswap stylized', '/groupswap outpaint=no', '/faceswap engine=v6'])(
    '%s offers a prompt instead',
    async (line) => {
      const { chat } = await made(line, photo);

      expect(labelsOf(chat.last)).toContain('Give "prompt" instead');
    },
  );

  test('/groupswap asks for the style', async () => {
    const { chat } = await made('/groupswap', photo);
    await chat.choose('3 · Travel Poster');
    expect(chat.state.generated).toMatchObject([{ request: { kind: 'multi-swap-realistic', style: royal } }]);
  });
});

describe('/animate', () => {
  test.each([
    {
      line: '/animate the sea',
      request: { model: 'advanced', duration: '4s', aspect: 'auto', prompt: 'the sea' },
    },
    { line: '/animate the sea 8s', request: { model: 'advanced', duration: '8s' } },
    { line: '/animate simple the sea', request: { model: 'simple', duration: '4s' } },
    {
      line: '/animate the sea performance 9:16 6s',
      request: { model: 'performance', duration: '6s', aspect: '9:16' },
    },
  ])('$line asks the service for what was typed', async ({ line, request }) => {
    expect((await made(line, photo)).requests).toMatchObject([
      { kind: 'single-frame-video', photo, ...request },
    ]);
  });

  test.each([
    { line: '/animate the sea 16:9', words: /needs model performance/ },
    { line: '/animate the sea simple 3:2', words: /needs model performance/ },
    { line: '/animate simple 6s the sea', words: /4s videos only/ },
    { line: '/animate prompt="  "', words: /is empty/ },
    { line: '/animate the sea duration=5s', words: /4s, 6s, 8s/ },
  ])('$line is refused, with its photo and before one is asked for', async ({ line, words }) => {
    await expectRefused(line, words, photo);
    await expectRefused(line, words);
  });

  test('/animate refuses a prompt of more than 1000 letters, with its photo and before one is asked for', async () => {
    const line = `/animate prompt="${'x'.repeat(1001)}"`;

    await expectRefused(line, /at most 1000/, photo);
    await expectRefused(line, /at most 1000/);
  });
});

describe('/transition', () => {
  test('/transition leads from the first photo to the last', async () => {
    expect((await made('/transition a slow morph 6s', photo, photo2)).requests).toEqual([
      { kind: 'first-last-frame-video', first: photo, last: photo2, prompt: 'a slow morph', duration: '6s' },
    ]);
  });

  test('/transition asks for what is missing, in order', async () => {
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
  const chat = createFakeChat();
  chat.state.newJobs = {
    make: async () => {
      throw new UserError('You have no credits left today.');
    },
  };

  expect(await chat.type('/animate the sea', photo)).toBe('You have no credits left today.');
});

const photo3 = { from: 'web', ref: 'photo-3' } as const;

describe('several photos with one command', () => {
  test('several photos with one command are asked about once, with the price of all, and each makes a job', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap 12 female ratio=square', photo, photo2, photo3);
    expect(labelsOf(chat.last)).toEqual(['All 3 (6 credits)', 'Only the first']);
    expect(chat.state.generated).toEqual([]);

    await chat.choose('All 3 (6 credits)');
    expect(chat.state.generated).toMatchObject([
      { request: { photo, gender: 'female', ratio: 'square' }, others: [photo2, photo3] },
    ]);
  });

  test('of several photos with one command the first alone can make a job', async () => {
    const chat = createFakeChat();

    await chat.type('/groupswap 3', photo, photo2, photo3);
    await chat.choose('Only the first');

    expect(chat.state.generated).toMatchObject([{ request: { kind: 'multi-swap-realistic', photo } }]);
    expect(chat.state.generated[0]?.others).toBeUndefined();
  });

  test('several photos with one command wait until everything else is known, and for consent', async () => {
    const chat = createFakeChat();

    chat.state.consented.clear();
    await chat.type('/faceswap', photo, photo2);
    await chat.choose('7 · Noir');
    await chat.choose('female');
    await chat.choose('All 2 (4 credits)');
    await chat.choose('I confirm, continue');

    expect(chat.state.generated).toMatchObject([{ request: { photo }, others: [photo2] }]);
  });

  test('several photos can be the answer to a question, or come without a command', async () => {
    const chat = createFakeChat(ann, direct);

    await chat.type('/faceswap 12 female');
    await chat.type('', photo, photo2);
    await chat.choose('All 2 (4 credits)');
    await chat.type('12 female', photo, photo2);
    await chat.choose('/faceswap');
    await chat.choose('All 2 (4 credits)');

    const each = { request: { photo }, others: [photo2] };
    expect(chat.state.generated).toMatchObject([each, each]);
  });

  test.each(['/groupswap 3 classic', '/groupswap prompt="a band"'])(
    'up to three photos with %s make one group picture, and more are asked about',
    async (line) => {
      const chat = createFakeChat();

      await chat.type(line, photo, photo2, photo3);
      expect(chat.state.generated).toMatchObject([{ request: { photos: [photo, photo2, photo3] } }]);

      await chat.type(line, photo, photo2, photo3, photo);
      await chat.choose('All 4 (8 credits)');
      expect(chat.state.generated[1]).toMatchObject({
        request: { photos: [photo] },
        others: [photo2, photo3, photo],
      });
    },
  );

  test('for several photos a group style is asked for, and a prompt instead makes one picture', async () => {
    const chat = createFakeChat();

    await chat.type('/groupswap', photo, photo2);
    await chat.choose('Give "prompt" instead');
    await chat.type('a rock band');

    expect(chat.state.generated).toMatchObject([{ request: { photos: [photo, photo2] } }]);
  });
});
