import { describe, expect, test } from 'vitest';
import type { CardRef } from '../../../src/command/place.ts';
import { en } from '../../../src/words/en/words.ts';
import { filesOf, V2 } from '../../fakes/discord/components.ts';
import {
  card,
  MINUTE,
  passing,
  picture,
  refusal,
  showCard,
  stage,
  texts,
  until,
  useStage,
  view,
} from './stage.ts';

const bytes = new Uint8Array([1, 2, 3]);
useStage();

const edits = () => stage.fake.received.filter((each) => each.method === 'PATCH');
const room = () => stage.fake.messages(stage.fake.channel);
const seen = () => room().flatMap(filesOf);
const inbox = () => stage.fake.direct(stage.fake.user('ann'));

describe('progress', () => {
  test('is shown every few seconds at most, only when it changed, and never delays the result', async () => {
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

  test('that fails is dropped, not repeated, and does not count as shown', async () => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, kind: 'status', status: 503 });
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic')).state).toBe('later');
    expect(edits()).toHaveLength(1);
    await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
    expect(edits()).toHaveLength(2);
  });

  test.each([false, true])(
    'that arrives late leaves the picture, which is shown again with the end (spoiler: %s)',
    async (spoiler) => {
      const ref = await showCard();
      const made = picture(bytes);
      const done = { ...made, ...(made.media && { media: { ...made.media, spoiler } }) };
      await stage.adapter.draw(ref, done, 'final');
      const [before] = seen();
      expect(before).toMatchObject({ spoiler, description: 'A portrait' });
      await stage.clock.advance(5_000);
      await stage.adapter.draw(ref, view('Working', { bar: 0.9 }), 'cosmetic');
      expect(seen()).toEqual([]);
      const { media: _, ...bare } = done;
      for (let time = 0; time < 2; time += 1) {
        await stage.clock.advance(5_000);
        const again = { ...bare, lines: [...bare.lines, en.card.expired] };
        expect(await stage.adapter.draw(ref, again, 'cosmetic')).toEqual({ state: 'drawn' });
        expect(seen()).toEqual([before]);
        expect(texts(room())).toEqual(['AI-generated']);
      }
    },
  );

  test.each([{ kind: 'hang' }, { kind: 'reset' }] as const)(
    'that may still arrive ($kind): the end is drawn, and once more when it has settled',
    async (fault) => {
      const ref = await showCard();
      stage.fake.fault({ method: 'PATCH', path: /messages/, times: 1, ...fault });
      const working = stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
      await until(() => expect(edits()).toHaveLength(1));
      await stage.clock.advance(5_000);
      expect((await working).state).toBe('later');
      expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({
        state: 'later',
        afterMs: 5_000,
      });
      expect(seen()).toHaveLength(1);
      // What was on its way has arrived.
      await stage.adapter.draw(ref, view('Working', { bar: 0.1 }), 'cosmetic');
      expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
      expect(seen()).toHaveLength(1);
    },
  );
});

describe('past the 15 minutes of an interaction', () => {
  const endToken = (): void =>
    stage.fake.fault({ path: /^\/webhooks\//, ...refusal(401, 50027, 'Invalid Webhook Token') });

  test('a public card is edited as the bot', async () => {
    const ref = await showCard();
    await stage.clock.advance(14.6 * MINUTE);
    expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
    expect(edits().at(-1)?.path).toMatch(/^\/channels\//);
    expect(room()).toHaveLength(1);
    expect(seen()).toHaveLength(1);
  });

  test('also when the token expired earlier than expected', async () => {
    const ref = await showCard();
    endToken();
    expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
    expect(seen()).toHaveLength(1);
    expect(stage.adapter.trouble()).toBeUndefined();
  });

  test('and so is its progress; an expired token is not tried again', async () => {
    const ref = await showCard();
    endToken();
    const working = () => stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic');
    expect((await working()).state).toBe('later');
    expect((await working()).state).toBe('drawn');
    expect(texts(room())[0]).toContain('Working');
    await stage.adapter.draw(ref, picture(bytes), 'final');
    expect(edits().map(({ path }) => path.split('/')[1])).toEqual(['webhooks', 'channels', 'channels']);
  });

  test('progress of a private card with an expired token is not retried', async () => {
    const ref = await showCard(true);
    stage.fake.fault({ path: /^\/webhooks\//, ...refusal(404, 10015, 'Unknown Webhook') });
    for (const bar of [0.1, 0.2, 0.3]) {
      await stage.adapter.draw(ref, view('Working', { bar }), 'cosmetic');
      await stage.clock.advance(4_000);
    }
    expect(edits()).toHaveLength(1);
  });

  test('a private card cannot be edited: its result needs another card, its failure comes in private', async () => {
    const ref = await showCard(true);
    await stage.clock.advance(16 * MINUTE);
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('drawn');
    expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({ state: 'gone' });
    expect(inbox()).toEqual([]);
    await stage.adapter.draw(ref, view('Failed'), 'final');
    const drawn = await stage.adapter.draw(ref, view('Failed'), 'final');
    expect(texts(inbox())).toEqual([`${en.notes.elsewhere}\nFailed`]);
    if (drawn.state !== 'drawn' || drawn.card === undefined) throw new Error('no new card');

    await stage.adapter.draw(drawn.card, view('Deleted'), 'final');
    expect(texts(inbox())).toEqual(['Deleted']);
    expect(room()).toEqual([]);
  });

  test('one whose message id nobody told is not asked for by an alias that the bot’s routes do not know', async () => {
    stage.fake.fault({ path: /callback$/, kind: 'status', status: 200, body: {}, after: true });
    stage.fake.fault({ method: 'GET', path: /@original$/, kind: 'status', status: 403 });
    const ref = await showCard();
    endToken();
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('later');
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('drawn');
    expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({ state: 'gone' });
    await stage.adapter.draw(ref, view('Failed'), 'final');
    expect(texts(inbox())).toEqual([`${en.notes.elsewhere}\nFailed`]);
    await stage.adapter.removeMessage(ref);
    const asBot = stage.fake.received.filter(({ path }) => /^\/channels\/.*@/.test(path));
    expect(asBot).toEqual([]);
  });

  test('and so is one in a server where the bot is not a member', async () => {
    const ann = stage.fake
      .user('ann')
      .at({ channel: '900000000000000001', guild: '900000000000000002', guildInstalled: false });
    stage.desk.replies(card('Place in line: 1'));
    ann.slash('/faceswap');
    const shown = await until(() => stage.desk.cards[0]?.card ?? fail());
    await stage.clock.advance(16 * MINUTE);
    expect(await stage.adapter.draw(shown, picture(bytes), 'final')).toEqual({ state: 'gone' });
    await stage.adapter.draw(shown, view('Failed'), 'final');
    expect(texts(inbox())).toEqual([`${en.notes.elsewhere}\nFailed`]);
  });
});

const fail = (): never => {
  throw new Error('not yet');
};

describe('a card that cannot be edited', () => {
  test('that was deleted after an edit with a lost response is not recreated by the repeated edit', async () => {
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
  ])('%s (%i, %i): gone, and not tried again', async (_, status, code, messageRemains = false) => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, ...refusal(status, code) });
    expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toEqual({
      state: 'gone',
      ...(messageRemains ? { messageRemains } : {}),
    });
    expect(edits()).toHaveLength(1);
  });

  test.each([50001, 50013])('the bot lost its access (%i): gone', async (code) => {
    const ref = await showCard();
    await stage.clock.advance(16 * MINUTE);
    const channel = stage.fake.world.channels.get(stage.fake.channel);
    if (channel !== undefined) channel.botError = code;
    expect(await stage.adapter.draw(ref, picture(bytes), 'final')).toMatchObject({ state: 'gone' });
    expect(room()[0]?.attachments).toEqual([]);
  });
});

describe('another card, in direct messages', () => {
  const ann = () => ({
    platform: 'discord' as const,
    id: stage.fake.user('ann').user.id,
    name: 'ann',
    locale: 'en',
  });

  test('takes the result by an edit', async () => {
    const said = await stage.adapter.say({ caller: ann() }, view('Here it comes'));
    if (said.state !== 'drawn' || said.card === undefined) throw new Error('no card');
    expect(texts(inbox())).toEqual(['Here it comes']);
    expect(await stage.adapter.draw(said.card, picture(bytes), 'final')).toMatchObject({ state: 'drawn' });
    expect(inbox()).toHaveLength(1);
    expect(inbox()[0]?.attachments[0]?.bytes).toEqual(bytes);
  });

  test('that may have been sent is not sent twice', async () => {
    const path = /^\/channels\/\d+\/messages$/;
    stage.fake.fault({ method: 'POST', path, kind: 'reset', after: true, times: 2 });
    const saying = stage.adapter.say({ caller: ann() }, view('Here it comes'));
    await passing(stage.clock, 500, () =>
      expect(stage.fake.received.filter((each) => path.test(each.path))).toHaveLength(3),
    );
    expect((await saying).state).toBe('drawn');
    expect(inbox()).toHaveLength(1);
  });

  test('is not possible for somebody who accepts no direct messages', async () => {
    stage.fake.world.blocked.add(ann().id);
    expect(await stage.adapter.say({ caller: ann() }, view('Here it comes'))).toEqual({ state: 'gone' });
  });
});

describe('the result is shown after', () => {
  const json = { 'content-type': 'application/json' };
  test.each([
    ['a server error', { kind: 'status', status: 502 }],
    ['a server error after it took effect', { kind: 'status', status: 502, after: true }],
    ['a broken connection', { kind: 'reset' }],
    ['a broken connection after it took effect', { kind: 'reset', after: true }],
    ['a connection closed without an answer', { kind: 'close' }],
    ['a connection closed after it took effect', { kind: 'close', after: true }],
    ['the page of a proxy', { kind: 'status', status: 200, body: '<html></html>' }],
    [
      'an answer that breaks off',
      { kind: 'status', status: 200, headers: json, body: '{"id":', after: true },
    ],
    ['too many requests', { kind: 'status', status: 429, headers: { 'retry-after': '2' } }],
    ['too many requests without a time', { kind: 'status', status: 429, body: '<html></html>' }],
  ] as const)('%s', async (_, fault) => {
    const ref = await showCard();
    stage.fake.fault({ method: 'PATCH', path: /messages/, times: 1, ...fault });
    const drawing = stage.adapter.draw(ref, picture(bytes), 'final');
    await until(() => expect(edits().length).toBeGreaterThan(0));
    await passing(stage.clock, 500, () => expect(edits()).toHaveLength(2));
    expect((await drawing).state).toBe('drawn');
    expect(room()).toHaveLength(1);
    expect(seen()).toHaveLength(1);
  });

  test('no response: it says when to retry', async () => {
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

  test('follow the interaction’s limit, within bounds', async () => {
    expect(limits(await showCard())).toBe(10 * 1024 * 1024);
    stage.fake.user('ann').sizeLimit = 500 * 1024 * 1024;
    expect(limits(await showCard().then(() => until(() => stage.desk.cards[1]?.card ?? fail())))).toBe(
      100 * 1024 * 1024,
    );
  });

  test('are used also when small', async () => {
    stage.fake.user('ann').sizeLimit = 300_000;
    expect(limits(await showCard())).toBe(300_000);
  });

  test('a file that Discord refuses is requested again, smaller', async () => {
    stage.fake.user('ann').sizeLimit = 50 * 1024 * 1024;
    const ref = await showCard();
    const large = picture(new Uint8Array(11 * 1024 * 1024));
    stage.fake.fault({ method: 'PATCH', path: /messages/, times: 2, ...refusal(413, 40005, 'Too large') });
    expect(await stage.adapter.draw(ref, large, 'final')).toEqual({ state: 'later', afterMs: 0 });
    expect(limits(ref)).toBe(10 * 1024 * 1024);
    expect(await stage.adapter.draw(ref, large, 'final')).toEqual({ state: 'later', afterMs: 0 });
    expect(limits(ref)).toBe(8 * 1024 * 1024);
    expect((await stage.adapter.draw(ref, large, 'final')).state).toBe('drawn');
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
    reason: `Discord: could not edit a card: ${status}, code ${code}: ${message}`,
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
  const ref = await until(() => stage.desk.cards[0]?.card ?? fail());
  expect(stage.desk.heard[0]?.photos[0]?.spoiler).toBe(true);
  const drawn = await stage.adapter.draw(ref, picture(bytes), 'final');
  expect(seen()).toMatchObject([{ name: 'result.png', spoiler: true, description: 'A portrait' }]);
  expect(drawn).toMatchObject({ result: { spoiler: true } });
});

describe('a message of an earlier version', () => {
  /** As that version made it: with content and rows under it. */
  const makeLegacy = (): void => {
    const [message] = room();
    if (message === undefined) throw new Error('no card');
    message.flags &= ~V2;
    message.content = '⏳ **Face swap**';
    const cancel = { type: 2, style: 2, custom_id: 'a:cancel:job-1', label: 'Cancel' };
    message.components = [{ type: 1, components: [cancel] }];
  };

  test.each(['with its token', 'as the bot'])('becomes the result, %s', async (how) => {
    const ref = await showCard();
    makeLegacy();
    if (how === 'as the bot') await stage.clock.advance(16 * MINUTE);
    expect((await stage.adapter.draw(ref, view('Working', { bar: 0.5 }), 'cosmetic')).state).toBe('drawn');
    expect(texts(room())[0]).toContain('Working');
    makeLegacy();
    expect((await stage.adapter.draw(ref, picture(bytes), 'final')).state).toBe('drawn');
    expect(texts(room())).toEqual(['AI-generated']);
    expect(seen()).toHaveLength(1);
  });

  test('is updated by a press, and deleted', async () => {
    await showCard();
    makeLegacy();
    const [message] = room();
    if (message === undefined) throw new Error('no card');
    stage.desk.replies({ kind: 'replace', view: view('Cancelled') });
    await stage.fake.user('ann').press(message, 'Cancel').answered();
    expect(texts(room())).toEqual(['Cancelled']);
    makeLegacy();
    stage.desk.replies({ kind: 'remove', note: '' });
    await stage.fake.user('ann').press(message, 'Cancel').answered();
    await until(() => expect(room()).toEqual([]));
  });
});
