import { describe, expect, test } from 'vitest';
import type { CardRef } from '../../../src/command/place.ts';
import { en } from '../../../src/words/en/words.ts';
import { holds as until } from '../../eventually.ts';
import { filesOf, V2 } from '../../fakes/discord/components.ts';
import {
  card,
  passing,
  picture,
  refusal,
  showCard,
  stage,
  texts,
  useStage,
  view,
} from '../../fakes/discord/stage.ts';

const MINUTE = 60_000;
const MB = 1024 * 1024;
const bytes = new Uint8Array([1, 2, 3]);
useStage();

const edits = () => stage.fake.received.filter((each) => each.method === 'PATCH');
const room = () => stage.fake.messages(stage.fake.channel);
const seen = () => room().flatMap(filesOf);
const inbox = () => stage.fake.direct(stage.fake.user('ann'));

describe('progress', () => {
  test('progress is shown every few seconds at most, only when it changed, and never delays the result', async () => {
    const ref = await showCard();
    const states: string[] = [];
    for (const share of [0.1, 0.2, 0.1])
      states.push((await stage.adapter.draw(ref, view('Working', { bar: share }), 'cosmetic')).state);

    expect(states).toEqual(['drawn', 'later', 'drawn']);
    expect(edits()).toHaveLength(1);

    await stage.clock.advance(3_000);
    await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
    expect(edits()).toHaveLength(1);

    await stage.adapter.draw(ref, picture(bytes), 'final');
    expect(edits()).toHaveLength(2);
    expect(seen().map((file) => file.bytes)).toEqual([bytes]);
  });

  test('progress that fails is dropped, not repeated, and does not count as shown', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'status', status: 503 });
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic')).state).toBe('later');
    expect(edits()).toHaveLength(1);

    await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
    expect(edits()).toHaveLength(2);
  });

  test('progress that arrives late leaves the picture, which is shown again with the end', async () => {
    const ref = await showCard();
    const { media, ...bare } = picture(bytes);
    const again = { ...bare, keepsMedia: 'It was a link' };
    await stage.adapter.draw(ref, again, 'cosmetic');

    expect(texts(room())).toEqual(['AI-generated\nIt was a link']);

    await stage.adapter.draw(ref, { ...bare, ...(media && { media: { ...media, spoiler: true } }) }, 'final');
    const [before] = seen();
    expect(before).toMatchObject({ spoiler: true, description: 'A portrait' });

    await stage.clock.advance(5_000);
    await stage.adapter.draw(ref, view('Working', { bar: 0.9 }), 'cosmetic');
    expect(seen()).toEqual([]);

    for (let time = 0; time < 2; time += 1) {
      await stage.clock.advance(5_000);
      expect(await stage.adapter.draw(ref, again, 'cosmetic')).toEqual({ state: 'drawn' });
      expect(seen()).toEqual([before]);
      expect(texts(room())).toEqual(['AI-generated']);
    }
  });

  test.each([{ kind: 'hang' }, { kind: 'reset' }] as const)(
    'after progress that may still arrive ($kind) the end is drawn, and once more when it has settled',
    async (fault) => {
      const ref = await showCard();
      stage.fake.fault({ method: 'PATCH', path: /messages/, times: 1, ...fault });
      const working = stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
      await until(() => expect(edits()).toHaveLength(1));
      await stage.clock.advance(5_000);

      expect((await working).state).toBe('later');

      const drawn = await stage.adapter.draw(ref, picture(bytes), 'final');
      expect(drawn).toEqual({ state: 'later', afterMs: 5_000 });
      expect(seen()).toHaveLength(1);

      // The edit that was on its way has arrived.
      await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
      expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
      expect(seen()).toHaveLength(1);
    },
  );
});

describe('past the 15 minutes of an interaction', () => {
  const endToken = (): void =>
    stage.fake.fault({ path: /^\/webhooks\//, ...refusal(401, 50027, 'Invalid Webhook Token') });

  /** Its result needs another card, and its failure comes in private. */
  const expectNewCardOf = async (ref: CardRef): Promise<void> => {
    expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({ state: 'gone' });
    expect(inbox()).toEqual([]);
    await stage.adapter.draw(ref, view('Failed'), 'final');
    expect(texts(inbox())).toEqual([`${en.notes.elsewhere}\nFailed`]);
  };

  test.each([
    ['', () => stage.clock.advance(14.6 * MINUTE)],
    [', also when the token expired earlier than expected', async () => endToken()],
  ])('past 15 minutes a public card is edited as the bot%s', async (_, end) => {
    const ref = await showCard();
    await end();
    expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
    expect(edits().at(-1)?.path).toMatch(/^\/channels\//);
    expect(room()).toHaveLength(1);
    expect(seen()).toHaveLength(1);
    expect(stage.adapter.trouble()).toBeUndefined();
  });

  test('past 15 minutes progress is edited as the bot, and an expired token is not tried again', async () => {
    const ref = await showCard();
    endToken();
    const working = () => stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic');

    expect((await working()).state).toBe('later');
    expect((await working()).state).toBe('drawn');
    expect(texts(room())[0]).toContain('Working');

    await stage.adapter.draw(ref, picture(bytes), 'final');
    expect(edits().map(({ path }) => path.split('/')[1])).toEqual(['webhooks', 'channels', 'channels']);
  });

  test('past 15 minutes progress of a private card is not retried', async () => {
    const ref = await showCard(true);
    stage.fake.fault({ path: /^\/webhooks\//, ...refusal(404, 10015, 'Unknown Webhook') });
    for (const bar of [0.1, 0.2, 0.3]) {
      await stage.adapter.draw(ref, view('Working', { bar }), 'cosmetic');
      await stage.clock.advance(4_000);
    }

    expect(edits()).toHaveLength(1);
  });

  test('past 15 minutes the result of a private card needs another card, and its failure comes in private', async () => {
    const ref = await showCard(true);
    await stage.clock.advance(16 * MINUTE);
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('drawn');
    await expectNewCardOf(ref);

    const drawn = await stage.adapter.draw(ref, view('Failed'), 'final');
    expect(inbox()).toHaveLength(1);

    if (drawn.state !== 'drawn' || drawn.card === undefined) throw new Error('no new card');

    await stage.adapter.draw(drawn.card, view('Deleted'), 'final');
    expect(texts(inbox())).toEqual(['Deleted']);
    expect(room()).toEqual([]);
  });

  test('a card whose message id is unknown is not edited under an alias that the bot’s routes do not have', async () => {
    stage.fake.fault({ path: /callback$/, kind: 'status', status: 200, body: {}, after: true });
    stage.fake.fault({ method: 'GET', path: /@original$/, kind: 'status', status: 403 });

    const ref = await showCard();
    endToken();

    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('later');
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('drawn');
    await expectNewCardOf(ref);

    // Others of this kind end at the same time: each is told of.
    for (const token of ['one', 'two'])
      await stage.adapter.draw(
        { ...ref, ref: ref.ref.replace(/"token":"[^"]*"/, `"token":"${token}"`) },
        view(token),
        'final',
      );
    expect(texts(inbox())).toEqual(['Failed', 'one', 'two'].map((text) => `${en.notes.elsewhere}\n${text}`));

    await stage.adapter.removeMessage(ref);
    const asBot = stage.fake.received.filter(({ path }) => /^\/channels\/.*@/.test(path));
    expect(asBot).toEqual([]);
  });

  test('a card whose message id is unknown in a server without the bot is not edited under an alias either', async () => {
    const ann = stage.fake
      .user('ann')
      .at({ channel: '900000000000000001', guild: '900000000000000002', guildInstalled: false });
    stage.desk.replies(card('Place in line: 1'));

    ann.slash('/faceswap');
    const shown = await stage.cardShown();
    await stage.clock.advance(16 * MINUTE);

    await expectNewCardOf(shown);
  });
});

describe('a card that cannot be edited', () => {
  test('a card that was deleted after an edit with a lost response is not recreated by the repeated edit', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'reset', after: true, times: 1 });
    const drawing = stage.adapter.draw(ref, picture(bytes), 'final');
    await until(() => expect(seen()).toHaveLength(1));
    await stage.adapter.removeMessage(ref);
    await passing(stage.clock, 500, () => expect(edits()).toHaveLength(2));

    expect(await drawing).toEqual({ state: 'gone' });
    expect(room()).toEqual([]);
    expect(inbox()).toEqual([]);
  });

  test.each([
    ['unknown channel', 404, 10003],
    ['unknown message', 404, 10008],
    ['missing access', 403, 50001],
    ['missing permissions', 403, 50013, true],
    ['cannot write to this person', 403, 50007],
    ['no server in common', 403, 50278],
    ['archived thread', 400, 50083],
    ['automatic moderation', 400, 200_000, true],
    ['explicit content', 400, 20_009, true],
    ['harmful links', 400, 240_000, true],
  ])(
    'a card that cannot be edited because of "%s" (%i, %i) is gone, and not tried again',
    async (_, status, code, messageRemains = false) => {
      const ref = await showCard();
      stage.fake.fault({ method: 'PATCH', path: /messages/, ...refusal(status, code) });
      expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({
        state: 'gone',
        ...(messageRemains ? { messageRemains } : {}),
      });
      expect(edits()).toHaveLength(1);
    },
  );
});

test('a direct message that may have been sent is not sent twice', async () => {
  const path = /^\/channels\/\d+\/messages$/;
  stage.fake.fault({ method: 'POST', path, kind: 'reset', after: true, times: 2 });
  const { id, name } = stage.fake.user('ann').user;
  const caller = { platform: 'discord', id, name, locale: 'en' } as const;
  const saying = stage.adapter.say({ caller }, view('Here it comes'));

  await passing(stage.clock, 500, () =>
    expect(stage.fake.received.filter((each) => path.test(each.path))).toHaveLength(3),
  );
  expect((await saying).state).toBe('drawn');
  expect((await stage.adapter.say({ caller }, view('Here it comes'))).state).toBe('drawn');
  expect(inbox()).toHaveLength(1);
});

describe('the result is shown after', () => {
  test.each([
    ['a server error', { kind: 'status', status: 502 }],
    ['a server error after it took effect', { kind: 'status', status: 502, after: true }],
    ['a broken connection after it took effect', { kind: 'reset', after: true }],
    ['the page of a proxy', { kind: 'status', status: 200, body: '<html></html>' }],
    ['too many requests', { kind: 'status', status: 429, headers: { 'retry-after': '2' } }],
    ['too many requests without a time', { kind: 'status', status: 429, body: '<html></html>' }],
  ] as const)('the result is shown after %s', async (_, fault) => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, times: 1, ...fault });
    const drawing = stage.adapter.draw(ref, picture(bytes), 'final');
    await until(() => expect(edits().length).toBeGreaterThan(0));
    await passing(stage.clock, 500, () => expect(edits()).toHaveLength(2));

    expect((await drawing).state).toBe('drawn');
    expect(room()).toHaveLength(1);
    expect(seen()).toHaveLength(1);
  });

  test('a result that gets no response is to be drawn again later', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'hang' });
    const drawing = stage.adapter.draw(ref, picture(bytes), 'final');
    await until(() => expect(edits()).toHaveLength(1));
    await stage.clock.advance(60_000);

    expect(await drawing).toMatchObject({ state: 'later' });
  });
});

describe('sizes', () => {
  const limits = (ref: CardRef): number => stage.adapter.limits(ref).imageBytes;

  test.each([
    [10 * MB, 10 * MB],
    [20 * MB, 20 * MB],
    [500 * MB, 100 * MB],
    [0, 20 * MB],
    [300_000, 300_000],
  ])('a file’s limit of %i in the interaction counts as %i', async (told, used) => {
    stage.fake.user('ann').sizeLimit = told;
    expect(limits(await showCard())).toBe(used);
  });

  test('a file that Discord refuses is requested again, smaller', async () => {
    stage.fake.user('ann').sizeLimit = 50 * MB;
    const ref = await showCard();
    const large = picture(new Uint8Array(21 * MB));
    stage.fake.fault({ method: 'PATCH', path: /messages/, times: 3, ...refusal(413, 40005, 'Too large') });

    for (const next of [20 * MB, 10 * MB, 8 * MB]) {
      expect(await stage.adapter.draw(ref, large, 'final')).toEqual({ state: 'later', afterMs: 0 });
      expect(limits(ref)).toBe(next);
    }
    expect((await stage.adapter.draw(ref, large, 'final')).state).toBe('drawn');
  });

  test('a file that was not too large by the documented limit is requested again below the former one', async () => {
    stage.fake.user('ann').sizeLimit = 50 * MB;
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, times: 1, ...refusal(413, 40005, 'Too large') });
    const drawn = await stage.adapter.draw(ref, picture(new Uint8Array(11 * MB)), 'final');

    expect(drawn).toEqual({ state: 'later', afterMs: 0 });
    expect(limits(ref)).toBe(10 * MB);
  });

  test('new messages begin with the documented limit for files, and have the former one after a refusal', async () => {
    const { adapter, fake } = stage;
    const place = {
      platform: 'discord',
      community: `discord:${fake.guild.id}`,
      channel: fake.channel,
    } as const;
    const share = (size: number) =>
      adapter.say({ place: { ...place, direct: false } }, picture(new Uint8Array(size)), {
        caller: { platform: 'discord', id: '900000000000000005', name: 'Ann', locale: 'en' },
        job: 'job-1',
      });

    expect(adapter.limits().imageBytes).toBe(20 * MB);

    fake.world.botFileLimit = 10 * MB;
    expect(await share(15 * MB)).toEqual({ state: 'later', afterMs: 0, unsent: true });
    expect(adapter.limits().imageBytes).toBe(10 * MB);
    expect((await share(10 * MB)).state).toBe('drawn');
  });
});

test.each([
  [400, 50035, 'Invalid Form Body'],
  [400, 50046, 'Invalid file uploaded'],
])('a result that is refused with %i, code %i, is told apart from trouble', async (status, code, message) => {
  const ref = await showCard();
  const fault = { method: 'PATCH', path: /webhooks/, kind: 'status', status } as const;
  stage.fake.fault({ ...fault, body: { code, message }, times: 1 });
  const uploads = () => stage.fake.received.filter(({ files }) => files > 0).length;

  expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({
    state: 'refused',
    reason: `Discord: PATCH /webhooks/:id/:token/messages/:id: ${status}, code ${code}: ${message}`,
  });
  expect(uploads()).toBe(1);

  stage.fake.fault({ ...fault, body: '<html>Bad Request</html>', times: 99 });
  const drawing = stage.adapter.draw(ref, picture(bytes), 'final');
  await passing(stage.clock, 5_000, () => expect(uploads()).toBeGreaterThan(1));
  stage.fake.clearFaults();
  await stage.clock.advance(20_000);

  expect((await drawing).state).not.toBe('refused');
});

test('a refused token is reported as trouble, recovers, and costs few requests', async () => {
  const ref = await showCard();
  await stage.clock.advance(16 * MINUTE);
  stage.fake.world.tokenAccepted = false;
  const before = stage.fake.received.length;

  for (let at = 0; at < 5; at += 1)
    expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toMatchObject({ state: 'later' });
  expect(stage.fake.received.length - before).toBe(1);
  expect(stage.adapter.trouble()).toContain('DISCORD_TOKEN');

  stage.fake.world.tokenAccepted = true;
  await stage.clock.advance(MINUTE);
  expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
  expect(stage.adapter.trouble()).toBeUndefined();
});

test('a spoiler photo gives a spoiler result', async () => {
  stage.desk.replies(card('Place in line: 1'));
  stage.fake.user('ann').slash('/faceswap', { photo: { name: 'SPOILER_me.png', type: 'image/png', bytes } });
  const ref = await stage.cardShown();

  expect(stage.desk.heard[0]?.photos[0]?.spoiler).toBe(true);

  const drawn = await stage.adapter.draw(ref, picture(bytes), 'final');
  expect(seen()).toMatchObject([{ name: 'result.png', spoiler: true, description: 'A portrait' }]);
  expect(drawn).toMatchObject({ result: { spoiler: true } });
});

test.each([0, 16])('a message of an earlier version becomes the result after %i minutes', async (minutes) => {
  const ref = await showCard();
  /** As that version made it: with content and rows under it. */
  const makeLegacy = (): void => {
    const [message] = room();
    if (message === undefined) throw new Error('no card');
    const cancel = { type: 2, style: 2, custom_id: 'a:cancel:job-1', label: 'Cancel' };
    const components = [{ type: 1, components: [cancel] }];
    Object.assign(message, { flags: message.flags & ~V2, content: '⏳ **Face swap**', components });
  };

  makeLegacy();
  await stage.clock.advance(minutes * MINUTE);

  expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('drawn');
  expect(texts(room())[0]).toContain('Working');

  makeLegacy();
  expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
  expect(texts(room())).toEqual(['AI-generated']);
  expect(seen()).toHaveLength(1);
});
