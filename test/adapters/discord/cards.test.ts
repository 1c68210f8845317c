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
  room,
  showCard,
  stage,
  texts,
  useStage,
  view,
} from '../../fakes/discord/stage.ts';
import { imageOf } from '../../fakes/pictures.ts';

const MINUTE = 60_000;
const MB = 1024 * 1024;
const bytes = new Uint8Array([1, 2, 3]);
useStage();

const edits = () => stage.fake.received.filter((each) => each.method === 'PATCH');
const seen = () => room().flatMap(filesOf);
const inbox = () => stage.fake.direct(stage.fake.user('ann'));

const drawProgress = async (card: CardRef, share: number): Promise<string> => {
  const drawn = await stage.adapter.draw(card, view('Working', { bar: share }), 'cosmetic');
  return drawn.state;
};

const drawResult = (card: CardRef) => stage.adapter.draw(card, picture(bytes), 'final');

describe('progress', () => {
  test('progress is shown every few seconds at most, only when it changed, and never delays the result', async () => {
    const ref = await showCard();

    expect(await drawProgress(ref, 0.1)).toBe('drawn');
    expect(await drawProgress(ref, 0.2)).toBe('later');
    expect(await drawProgress(ref, 0.1)).toBe('drawn');
    expect(edits()).toHaveLength(1);

    // Later the same share is no news either.
    await stage.clock.advance(3_000);
    await drawProgress(ref, 0.1);
    expect(edits()).toHaveLength(1);

    await drawResult(ref);
    expect(edits()).toHaveLength(2);
    expect(seen().map((file) => file.bytes)).toEqual([bytes]);
  });

  test('progress that fails is dropped, not repeated, and does not count as shown', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'status', status: 503 });
    expect(await drawProgress(ref, 0.1)).toBe('later');
    expect(edits()).toHaveLength(1);

    await drawProgress(ref, 0.1);
    expect(edits()).toHaveLength(2);
  });

  test('progress that arrives late leaves the picture, which is shown again with the end', async () => {
    const ref = await showCard();
    const { media: _media, ...withoutPicture } = picture(bytes);
    const again = { ...withoutPicture, keepsMedia: 'It was a link' };

    // There is no picture yet that the message could keep.
    await stage.adapter.draw(ref, again, 'cosmetic');
    expect(texts(room())).toEqual(['AI-generated\nIt was a link']);

    const hidden = imageOf(bytes, { type: 'image/png', name: 'result.png', spoiler: true });
    await stage.adapter.draw(ref, { ...withoutPicture, media: hidden }, 'final');
    const [before] = seen();
    expect(before).toMatchObject({ spoiler: true, description: 'A portrait' });

    await stage.clock.advance(5_000);
    await drawProgress(ref, 0.9);
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
      const working = drawProgress(ref, 0.1);
      await until(() => expect(edits()).toHaveLength(1));
      await stage.clock.advance(5_000);

      expect(await working).toBe('later');

      const drawn = await drawResult(ref);
      expect(drawn).toEqual({ state: 'later', afterMs: 5_000 });
      expect(seen()).toHaveLength(1);

      // The edit that was on its way has arrived.
      await drawProgress(ref, 0.1);
      expect((await drawResult(ref)).state).toBe('drawn');
      expect(seen()).toHaveLength(1);
    },
  );
});

describe('past the 15 minutes of an interaction', () => {
  const endToken = (): void =>
    stage.fake.fault({ path: /^\/webhooks\//, ...refusal(401, 50027, 'Invalid Webhook Token') });

  /** The result of the card needs another card, and its failure comes in private. */
  const expectNewCardOf = async (ref: CardRef): Promise<void> => {
    expect(await drawResult(ref)).toEqual({ state: 'gone' });
    expect(inbox()).toEqual([]);

    await stage.adapter.draw(ref, view('Failed'), 'final');
    expect(texts(inbox())).toEqual([`${en.notes.elsewhere}\nFailed`]);
  };

  test.each([
    { token: 'is about to expire', end: () => stage.clock.advance(14.6 * MINUTE) },
    { token: 'expired earlier than expected', end: async () => endToken() },
  ])('a public card whose token $token is edited as the bot', async ({ end }) => {
    const ref = await showCard();
    await end();

    expect((await drawResult(ref)).state).toBe('drawn');
    expect(edits().at(-1)?.path).toMatch(/^\/channels\//);
    expect(room()).toHaveLength(1);
    expect(seen()).toHaveLength(1);
    expect(stage.adapter.trouble()).toBeUndefined();
  });

  test('past 15 minutes progress is edited as the bot, and an expired token is not tried again', async () => {
    const ref = await showCard();
    endToken();
    const working = () => drawProgress(ref, 0.5);

    expect(await working()).toBe('later');
    expect(await working()).toBe('drawn');
    expect(texts(room())[0]).toContain('Working');

    await drawResult(ref);
    expect(edits().map(({ path }) => path.split('/')[1])).toEqual(['webhooks', 'channels', 'channels']);
  });

  test('past 15 minutes progress of a private card is not retried', async () => {
    const ref = await showCard(true);
    stage.fake.fault({ path: /^\/webhooks\//, ...refusal(404, 10015, 'Unknown Webhook') });
    for (const bar of [0.1, 0.2, 0.3]) {
      await drawProgress(ref, bar);
      await stage.clock.advance(4_000);
    }

    expect(edits()).toHaveLength(1);
  });

  test('past 15 minutes the result of a private card needs another card, and its failure comes in private', async () => {
    const ref = await showCard(true);
    await stage.clock.advance(16 * MINUTE);
    expect(await drawProgress(ref, 0.5)).toBe('drawn');
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

    expect(await drawProgress(ref, 0.5)).toBe('later');
    expect(await drawProgress(ref, 0.5)).toBe('drawn');
    await expectNewCardOf(ref);

    // Two more jobs whose message is unknown end at the same time: the person is told of each.
    const withToken = (token: string): CardRef => ({
      ...ref,
      ref: ref.ref.replace(/"token":"[^"]*"/, `"token":"${token}"`),
    });
    await stage.adapter.draw(withToken('one'), view('Failed, too'), 'final');
    await stage.adapter.draw(withToken('two'), view('Failed again'), 'final');
    expect(texts(inbox())).toEqual([
      `${en.notes.elsewhere}\nFailed`,
      `${en.notes.elsewhere}\nFailed, too`,
      `${en.notes.elsewhere}\nFailed again`,
    ]);

    await stage.adapter.removeMessage(ref);
    const asBot = stage.fake.received.filter(({ path }) => /^\/channels\/.*@/.test(path));
    expect(asBot).toEqual([]);
  });

  test('a card whose message id is unknown in a server without the bot is not edited under an alias either', async () => {
    const ann = stage.fake
      .user('ann')
      .at({ channel: '900000000000000001', guild: '900000000000000002', guildInstalled: false });
    stage.desk.replies(card('Place in line: 1'));

    ann.types('/faceswap');
    const shown = await stage.cardShown();
    await stage.clock.advance(16 * MINUTE);

    await expectNewCardOf(shown);
  });
});

describe('a card that cannot be edited', () => {
  test('a card that was deleted after an edit with a lost response is not recreated by the repeated edit', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'reset', after: true, times: 1 });
    const drawing = drawResult(ref);
    await until(() => expect(seen()).toHaveLength(1));
    await stage.adapter.removeMessage(ref);
    await passing(stage.clock, 500, () => expect(edits()).toHaveLength(2));

    expect(await drawing).toEqual({ state: 'gone' });
    expect(room()).toEqual([]);
    expect(inbox()).toEqual([]);
  });

  test.each([
    { reason: 'unknown channel', status: 404, code: 10003 },
    { reason: 'unknown message', status: 404, code: 10008 },
    { reason: 'missing access', status: 403, code: 50001 },
    { reason: 'missing permissions', status: 403, code: 50013, messageRemains: true },
    { reason: 'cannot write to this person', status: 403, code: 50007 },
    { reason: 'no server in common', status: 403, code: 50278 },
    { reason: 'archived thread', status: 400, code: 50083 },
    { reason: 'automatic moderation', status: 400, code: 200_000, messageRemains: true },
    { reason: 'explicit content', status: 400, code: 20_009, messageRemains: true },
    { reason: 'harmful links', status: 400, code: 240_000, messageRemains: true },
  ])(
    'a card that cannot be edited because of "$reason" ($status, $code) is gone, and not tried again',
    async ({ status, code, messageRemains = false }) => {
      const ref = await showCard();
      stage.fake.fault({ method: 'PATCH', path: /messages/, ...refusal(status, code) });

      const drawn = await drawResult(ref);

      expect(drawn).toStrictEqual(messageRemains ? { state: 'gone', messageRemains } : { state: 'gone' });
      expect(edits()).toHaveLength(1);
    },
  );
});

test('a direct message that may have been sent is not sent twice', async () => {
  const path = /^\/channels\/\d+\/messages$/;
  const sendings = () => stage.fake.received.filter((each) => path.test(each.path));
  const { id, name } = stage.fake.user('ann').user;
  const caller = { platform: 'discord', id, name, locale: 'en' } as const;
  stage.fake.fault({ method: 'POST', path, kind: 'reset', after: true, times: 2 });

  const saying = stage.adapter.say({ caller }, view('Here it comes'));
  await passing(stage.clock, 500, () => expect(sendings()).toHaveLength(3));
  const first = await saying;
  const second = await stage.adapter.say({ caller }, view('Here it comes'));

  expect(first.state).toBe('drawn');
  expect(second.state).toBe('drawn');
  expect(inbox()).toHaveLength(1);
});

describe('the result is shown after', () => {
  test.each([
    { trouble: 'a server error', fault: { kind: 'status', status: 502 } },
    { trouble: 'a server error after it took effect', fault: { kind: 'status', status: 502, after: true } },
    { trouble: 'a broken connection after it took effect', fault: { kind: 'reset', after: true } },
    { trouble: 'the page of a proxy', fault: { kind: 'status', status: 200, body: '<html></html>' } },
    { trouble: 'too many requests', fault: { kind: 'status', status: 429, headers: { 'retry-after': '2' } } },
    {
      trouble: 'too many requests without a time',
      fault: { kind: 'status', status: 429, body: '<html></html>' },
    },
  ] as const)('the result is shown after $trouble', async ({ fault }) => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, times: 1, ...fault });
    const drawing = drawResult(ref);
    await until(() => expect(edits().length).toBeGreaterThan(0));
    await passing(stage.clock, 500, () => expect(edits()).toHaveLength(2));

    expect((await drawing).state).toBe('drawn');
    expect(room()).toHaveLength(1);
    expect(seen()).toHaveLength(1);
  });

  test('a result that gets no response is to be drawn again later', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'hang' });
    const drawing = drawResult(ref);
    await until(() => expect(edits()).toHaveLength(1));
    await stage.clock.advance(60_000);

    expect(await drawing).toMatchObject({ state: 'later' });
  });
});

describe('sizes', () => {
  const limits = (ref: CardRef): number => stage.adapter.limits(ref).imageBytes;

  test.each([
    { told: 10 * MB, used: 10 * MB },
    { told: 20 * MB, used: 20 * MB },
    { told: 500 * MB, used: 100 * MB },
    { told: 0, used: 20 * MB },
    { told: 300_000, used: 300_000 },
  ])('a file’s limit of $told in the interaction counts as $used', async ({ told, used }) => {
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
  { status: 400, code: 50035, message: 'Invalid Form Body' },
  { status: 400, code: 50046, message: 'Invalid file uploaded' },
])(
  'a result that is refused with $status, code $code, is told apart from trouble',
  async ({ status, code, message }) => {
    const ref = await showCard();
    const fault = { method: 'PATCH', path: /webhooks/, kind: 'status', status } as const;
    stage.fake.fault({ ...fault, body: { code, message }, times: 1 });
    const uploads = () => stage.fake.received.filter(({ files }) => files > 0).length;

    expect(await drawResult(ref)).toEqual({
      state: 'refused',
      reason: `Discord: PATCH /webhooks/:id/:token/messages/:id: ${status}, code ${code}: ${message}`,
    });
    expect(uploads()).toBe(1);

    stage.fake.fault({ ...fault, body: '<html>Bad Request</html>', times: 99 });
    const drawing = drawResult(ref);
    await passing(stage.clock, 5_000, () => expect(uploads()).toBeGreaterThan(1));
    stage.fake.clearFaults();
    await stage.clock.advance(20_000);

    expect((await drawing).state).not.toBe('refused');
  },
);

test('a refused token is reported as trouble, recovers, and costs few requests', async () => {
  const ref = await showCard();
  await stage.clock.advance(16 * MINUTE);
  stage.fake.world.tokenAccepted = false;
  const before = stage.fake.received.length;

  for (let at = 0; at < 5; at += 1) expect(await drawResult(ref)).toMatchObject({ state: 'later' });
  expect(stage.fake.received.length - before).toBe(1);
  expect(stage.adapter.trouble()).toContain('DISCORD_TOKEN');

  stage.fake.world.tokenAccepted = true;
  await stage.clock.advance(MINUTE);
  expect((await drawResult(ref)).state).toBe('drawn');
  expect(stage.adapter.trouble()).toBeUndefined();
});

test('a spoiler photo gives a spoiler result', async () => {
  stage.desk.replies(card('Place in line: 1'));
  stage.fake.user('ann').types('/faceswap', { photo: { name: 'SPOILER_me.png', type: 'image/png', bytes } });
  const ref = await stage.cardShown();

  expect(stage.desk.heard[0]?.photos[0]?.spoiler).toBe(true);

  const drawn = await drawResult(ref);
  expect(seen()).toMatchObject([{ name: 'result.png', spoiler: true, description: 'A portrait' }]);
  expect(drawn).toMatchObject({ result: { spoiler: true } });
});

test.each([0, 16])('a message of an earlier version becomes the result after %i minutes', async (minutes) => {
  const ref = await showCard();
  /** Makes the card what earlier versions made: a message with content, and rows under it. */
  const makeLegacy = (): void => {
    const [message] = room();
    if (message === undefined) throw new Error('no card');
    const cancel = { type: 2, style: 2, custom_id: 'a:cancel:job-1', label: 'Cancel' };
    const components = [{ type: 1, components: [cancel] }];
    Object.assign(message, { flags: message.flags & ~V2, content: '⏳ **Face swap**', components });
  };

  makeLegacy();
  await stage.clock.advance(minutes * MINUTE);

  expect(await drawProgress(ref, 0.5)).toBe('drawn');
  expect(texts(room())[0]).toContain('Working');

  makeLegacy();
  expect((await drawResult(ref)).state).toBe('drawn');
  expect(texts(room())).toEqual(['AI-generated']);
  expect(seen()).toHaveLength(1);
});
