import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { en } from '../../../src/words/en/words.ts';
import { holds as until } from '../../eventually.ts';
import {
  card,
  faceswap,
  passing,
  picture,
  privateReply,
  publicReply,
  refusal,
  room,
  show,
  showWithButton,
  stage,
  texts,
  useStage,
  view,
} from '../../fakes/discord/stage.ts';

const conflicted = vi.fn();
useStage({ commands: [faceswap], conflicted });
beforeEach(() => conflicted.mockClear());

/** A reply that the test gives later. */
const laterReply = () => Promise.withResolvers<Reply>();

const callbacks = () => stage.fake.received.filter((each) => each.path.endsWith('/callback'));

test.each([
  { what: 'a small one that may not be attached', size: 10, path: /callback$/, status: 403, code: 50013 },
  {
    what: 'a large one that may not be attached',
    size: 300_000,
    path: /@original$/,
    status: 403,
    code: 50013,
  },
  { what: 'one that is too large', size: 300_000, path: /@original$/, status: 413, code: 40005 },
  { what: 'one that is barred', size: 300_000, path: /@original$/, status: 400, code: 20_009 },
])(
  'the answer to a requested picture says that it is missing: $what',
  async ({ size, path, status, code }) => {
    stage.fake.fault({ path, ...refusal(status, code), times: 1 });
    stage.desk.replies({ kind: 'message', view: picture(new Uint8Array(size)), audience: 'caller' });
    const sent = stage.fake.user('ann').types('/jobs');

    const said = await until(() => {
      const message = sent.message();
      if (!message?.content.includes(en.notes.notHere)) throw new Error('not yet');
      return message;
    });
    expect(said.attachments).toEqual([]);
    expect(said.onlyFor).toBe(stage.fake.user('ann').user.id);
  },
);

test('a file that Discord refuses within its own limit is told to the presser alone, with its size', async () => {
  const result = await showWithButton('Result', 'As a file', 'file:1');
  const { media, ...rest } = picture(new Uint8Array(300_000));
  if (media === undefined || media.kind === 'link') expect.fail('no picture');
  const file = { ...rest, media: { ...media, as: 'file' as const } };
  // The file would take the place of "thinking…", which is deleted.
  stage.fake.fault({ path: /@original$/, ...refusal(413, 40005), times: 1 });
  stage.desk.replies({ kind: 'result', job: 'job-1', view: file, audience: 'everyone' });

  stage.fake.user('ann').presses(result, 'As a file');

  const ann = stage.fake.user('ann');
  const said = await until(() => {
    const message = stage.fake
      .messages(stage.fake.channel, ann)
      .find(({ content }) => content.includes('which was refused here'));
    if (message === undefined) throw new Error('not yet');
    return message;
  });
  expect(said.content).toContain('This file has 0.3 MB');
  expect(said.onlyFor).toBe(ann.user.id);
  expect(stage.fake.messages(stage.fake.channel).every(({ attachments }) => attachments.length === 0)).toBe(
    true,
  );
});

test('a card without an id in the response is looked up, and its job continues', async () => {
  const result = await showWithButton('Result', 'Again', 'again:1');
  stage.fake.fault({ path: /callback$/, kind: 'status', status: 204, after: true });
  stage.desk.replies(card('Accepted'));

  const press = stage.fake.user('ann').presses(result, 'Again');
  const ref = await stage.cardShown();
  const drawn = await stage.adapter.draw(ref, view('Done'), 'final');

  expect(drawn.state).toBe('drawn');
  expect(press.message()?.content).toBe('Done');
});

test('a generating command is deferred first, and the deferred message becomes the card', async () => {
  const reply = laterReply();
  const callbacksBeforeTheDesk: number[] = [];
  stage.desk.replies(() => {
    callbacksBeforeTheDesk.push(callbacks().length);
    return reply.promise;
  });

  const sent = stage.fake.user('ann').types('/faceswap', { filter: '12' });
  expect((await sent.answered()).type).toBe(5);
  await until(() => expect(callbacksBeforeTheDesk).toEqual([1]));

  reply.resolve(card('Place in line: 1'));
  const ref = await stage.cardShown();
  expect(JSON.parse(ref.ref)).toMatchObject({ message: sent.message()?.id, ephemeral: false });
});

test.each([
  { what: 'came too late', status: 404, code: 10062 },
  { what: 'has been answered', status: 400, code: 40060 },
  { what: 'cannot be answered', status: 400, code: 50035 },
])(
  'a generating command that $what spends nothing, because the desk is not called',
  async ({ status, code }) => {
    stage.fake.fault({ path: /callback$/, ...refusal(status, code) });
    stage.fake.user('ann').types('/faceswap', { filter: '12' });

    await until(() => expect(callbacks()).toHaveLength(1));
    await stage.adapter.stop();

    expect(stage.desk.heard).toEqual([]);
  },
);

test('commands that another program keeps answering are reported, and a single one is not', async () => {
  stage.fake.fault({ path: /callback$/, ...refusal(400, 40060) });
  const commandThatIsAnsweredAlready = async (): Promise<void> => {
    const before = callbacks().length;
    stage.fake.user('ann').types('/faceswap', { filter: '12' });
    await until(() => expect(callbacks()).toHaveLength(before + 1));
  };

  await commandThatIsAnsweredAlready();
  await commandThatIsAnsweredAlready();
  expect(conflicted).not.toHaveBeenCalled();

  await commandThatIsAnsweredAlready();
  await until(() => expect(conflicted).toHaveBeenCalledTimes(1));
});

test('commands that a process answered before it died are no sign of another program', async () => {
  const times = 5;
  stage.fake.gateway.cut();
  await until(() => expect(stage.adapter.trouble()).toContain('lost'));
  stage.fake.fault({ path: /callback$/, ...refusal(400, 40060), times });

  for (let sent = 0; sent < times; sent += 1) stage.fake.user('ann').types('/faceswap', { filter: '12' });
  await until(() => expect(callbacks()).toHaveLength(times));
  await stage.adapter.stop();

  expect(conflicted).not.toHaveBeenCalled();
});

test.each([
  { reason: 'the second try tells that the first one arrived', lost: 1 },
  { reason: 'whether it arrived cannot be told', lost: 2 },
])('no deferred message stays: $reason', async ({ lost }) => {
  stage.fake.fault({ path: /callback$/, kind: 'status', status: 502, after: true, times: lost });
  stage.fake.fault({ method: 'GET', path: /@original$/, kind: 'status', status: 403, times: lost });
  stage.desk.replies(card('Place in line: 1'));
  stage.fake.user('ann').types('/faceswap', { filter: '12' });

  await until(() => expect(texts(room())).toEqual(['Place in line: 1']));
  expect(callbacks()).toHaveLength(2);

  await until(() => expect(stage.desk.cards).toHaveLength(1));
});

test.each([
  { line: '/faceswap', values: { private: true }, hidden: true },
  { line: '/faceswap', values: { private: false }, hidden: false },
  { line: '/jobs', values: {}, hidden: true },
])(
  'a slow $line with $values is deferred in time, private: $hidden, and answered there',
  async ({ line, values, hidden }) => {
    const reply = laterReply();
    stage.desk.replies(reply.promise);
    const sent = stage.fake.user('ann').types(line, values);

    await until(() => expect(stage.desk.heard).toHaveLength(1));
    await stage.clock.advance(150);
    const { type, at } = await sent.answered();

    expect(type).toBe(5);
    expect(at - sent.interaction.at).toBeLessThan(3_000);
    expect(sent.message()?.onlyFor !== undefined).toBe(hidden);

    await stage.clock.advance(60_000);
    reply.resolve({ kind: 'message', audience: hidden ? 'caller' : 'everyone', view: view('Pop Art') });
    await until(() => expect(texts(sent.messages())).toEqual(['Pop Art']));
  },
);

test('a private reply after a public deferral is not public', async () => {
  const ann = stage.fake.user('ann');
  stage.desk.replies(privateReply('For you alone'));
  const sent = ann.types('/faceswap');

  await until(() => expect(texts(stage.fake.messages(stage.fake.channel, ann))).toEqual(['For you alone']));
  expect((await sent.answered()).data).not.toMatchObject({ flags: 64 });
  expect(room()).toEqual([]);
});

test('a private reply after a public deferral is not public when the deferred message cannot be deleted either', async () => {
  stage.fake.fault({ method: 'DELETE', path: /@original$/, ...refusal(400, 50035) });
  stage.desk.replies(privateReply('For you alone'));
  stage.fake.user('ann').types('/faceswap');

  await until(() => expect(stage.logged.join()).toContain('could not be answered'));
  expect(texts(room())).toEqual(['']);
});

/** Ann presses a button of a public message, and the desk takes its time. */
const slowPress = async () => {
  const ann = stage.fake.user('ann');
  const result = await showWithButton('Result', 'Again', 'again:1');
  const reply = laterReply();
  stage.desk.replies(reply.promise);
  const press = ann.presses(result, 'Again');
  await until(() => expect(stage.desk.heard).toHaveLength(2));
  await stage.clock.advance(1_200);
  const { type } = await press.answered();
  return { ann, reply, type };
};

test('a slow press is acknowledged silently, and its card is one follow-up message that can be edited later', async () => {
  const { reply, type } = await slowPress();
  expect(type).toBe(6);

  const posts = /^\/channels\/\d+\/messages$/;
  stage.fake.fault({ method: 'POST', path: posts, kind: 'reset', after: true, times: 2 });
  reply.resolve(card('Once more'));
  await passing(stage.clock, 500, () => expect(stage.desk.cards).toHaveLength(1));
  expect(texts(room())).toEqual(['Result', 'Once more']);

  const ref = await stage.cardShown();
  await stage.clock.advance(20 * 60_000);
  expect((await stage.adapter.draw(ref, view('Later'), 'final')).state).toBe('drawn');
  expect(texts(room())).toEqual(['Result', 'Later']);
});

test.each([
  { permission: 'write', code: 50013 },
  { permission: 'read what it answers to', code: 160_002 },
])('a follow-up is sent with the token of the press where the bot may not $permission', async ({ code }) => {
  const { reply } = await slowPress();
  const channel = stage.fake.world.channels.get(stage.fake.channel);
  if (channel !== undefined) channel.botError = code;
  reply.resolve(card('Once more'));
  await until(() => expect(stage.desk.cards).toHaveLength(1));

  expect(texts(room())).toEqual(['Result', 'Once more']);
});

test('a private follow-up message may be sent twice, never lost', async () => {
  const { ann, reply } = await slowPress();
  stage.fake.fault({ method: 'POST', path: /^\/webhooks\//, kind: 'reset', times: 1 });
  reply.resolve(card('Once more', { audience: 'caller' }));
  await passing(stage.clock, 500, () => expect(stage.desk.cards).toHaveLength(1));

  expect(texts(room())).toEqual(['Result']);
  expect(texts(stage.fake.messages(stage.fake.channel, ann))).toContain('Once more');
});

/** Ann presses a button of a question that is deleted before the desk answers with `reply`. */
const answerDeletedQuestion = async (reply: Reply): Promise<void> => {
  const question = await showWithButton('Which?', 'Pop Art', 'pick:1');
  stage.desk.replies(() => {
    stage.fake.world.messages.delete(question.id);
    return reply;
  });
  const heard = stage.desk.heard.length;
  stage.fake.user('ann').presses(question, 'Pop Art');
  await until(() => expect(stage.desk.heard).toHaveLength(heard + 1));
};

const warnings = () => stage.logged.filter((line) => /"level":"(warn|error)"/.test(line));

test('a card is a new message if its question was deleted', async () => {
  await answerDeletedQuestion(card('Place in line: 1', { replaces: true }));
  await stage.cardShown();
  await stage.adapter.stop();

  expect(texts(room())).toEqual(['Place in line: 1']);
  expect(warnings()).toEqual([]);
});

test('removing a question that was deleted does nothing', async () => {
  await answerDeletedQuestion({ kind: 'remove', note: '' });
  await stage.adapter.stop();

  expect(room()).toEqual([]);
  expect(warnings()).toEqual([]);
});

const stranger = { channel: '900000000000000001', guild: '900000000000000002', guildInstalled: false };

test.each([
  { when: 'at once', thinkMs: 0, where: undefined },
  { when: 'late', thinkMs: 2_000, where: undefined },
  { when: 'where the bot is no member', thinkMs: 0, where: stranger },
])('a private question answered $when with a public card is removed', async ({ thinkMs, where }) => {
  stage.desk.replies({
    kind: 'message',
    audience: 'caller-in-place',
    view: view('Before your first picture', { buttons: [[{ action: 'consent:1', label: 'I confirm' }]] }),
  });
  const ann = where === undefined ? stage.fake.user('ann') : stage.fake.user('ann').at(where);
  const channel = where?.channel ?? stage.fake.channel;
  const sent = ann.types('/faceswap');

  await until(() => expect(texts(stage.fake.messages(channel, ann))).toEqual(['Before your first picture']));
  const question = stage.fake.messages(channel, ann)[0];
  if (question === undefined) throw new Error('no message');
  await sent.answered();
  const reply = laterReply();
  stage.desk.replies(reply.promise);
  ann.presses(question, 'I confirm');
  await until(() => expect(stage.desk.heard).toHaveLength(2));
  await stage.clock.advance(thinkMs);
  reply.resolve(card('Place in line: 1', { replaces: true }));
  await until(() => expect(stage.desk.cards).toHaveLength(1));

  expect(texts(stage.fake.messages(channel, ann))).toEqual(['Place in line: 1']);
  expect(texts(stage.fake.messages(channel))).toEqual(['Place in line: 1']);
});

describe.each([
  { what: 'the answer itself', command: '/help', reply: publicReply('Hello') },
  { what: 'a thought that becomes a card', command: '/faceswap', reply: card('Hello') },
] as const)('a first answer, $what', ({ what, command, reply }) => {
  const inRoom = (): readonly string[] => texts(room());

  test(`a first answer, ${what}, that arrived although its response was lost is found again, not sent twice`, async () => {
    stage.fake.fault({ path: /callback$/, after: true, times: 1, kind: 'status', status: 502 });
    stage.desk.replies(reply);
    stage.fake.user('ann').types(command);
    await until(() => expect(inRoom()).toEqual(['Hello']));

    stage.fake.fault({ path: /callback$/, after: true, times: 1, kind: 'reset' });
    stage.desk.replies(reply);
    stage.fake.user('ann').types(command);
    await until(() => expect(inRoom()).toEqual(['Hello', 'Hello']));

    await stage.adapter.stop();
    expect(inRoom()).toEqual(['Hello', 'Hello']);
    expect(callbacks()).toHaveLength(2);
  });

  test(`a first answer, ${what}, that did not arrive is sent again while there is time`, async () => {
    stage.fake.fault({ path: /callback$/, times: 1, kind: 'status', status: 502 });
    stage.desk.replies(reply);
    stage.fake.user('ann').types(command);

    await until(() => expect(inRoom()).toEqual(['Hello']));
    expect(callbacks()).toHaveLength(2);
  });

  test(`a first answer, ${what}, without a response is searched for before the deadline`, async () => {
    stage.fake.fault({ path: /callback$/, after: true, times: 1, kind: 'hang' });
    stage.desk.replies(reply);
    stage.fake.user('ann').types(command);

    await until(() => expect(callbacks()).toHaveLength(1));
    await stage.clock.advance(2_500);
    await until(() => expect(inRoom()).toEqual(['Hello']));
    await stage.adapter.stop();

    expect(callbacks()).toHaveLength(1);
  });
});

test('an answer with a large picture is deferred first, so that its upload does not miss the deadline', async () => {
  const large = new Uint8Array(1_000_000);
  stage.desk.replies({ kind: 'message', audience: 'everyone', view: picture(large) });
  const sent = stage.fake.user('ann').types('/jobs');

  expect((await sent.answered()).type).toBe(5);

  await until(() => expect(sent.message()?.attachments[0]?.bytes.byteLength).toBe(large.byteLength));
});

test('a rate-limited first answer waits as told, even without a duration', async () => {
  const limited = { path: /callback$/, times: 1, kind: 'status', status: 429 } as const;
  stage.fake.fault({ ...limited, headers: { 'retry-after': '0.3' } });
  stage.fake.fault({ ...limited, body: '<html>slow down</html>' });
  stage.desk.replies(publicReply('Hello'));
  const sent = stage.fake.user('ann').types('/help');

  await until(() => expect(callbacks()).toHaveLength(1));
  await until(() => expect(stage.clock.pending).toBeGreaterThan(0));
  await stage.clock.advance(400);
  await until(() => expect(callbacks()).toHaveLength(2));
  await stage.clock.advance(1_100);

  expect((await sent.answered()).type).toBe(4);
  expect(callbacks()).toHaveLength(3);
});

test.each([
  { audience: 'public', hidden: false },
  { audience: 'private', hidden: true },
])(
  'an event that comes twice and whose first answer seems lost leaves the $audience card',
  async ({ hidden }) => {
    stage.desk.replies(card('Accepted'), { kind: 'card-shown-before', text: 'already' });
    const sent = stage.fake.user('ann').types('/faceswap', { filter: '12', private: hidden });

    await until(() => expect(sent.message()?.content).toBe('Accepted'));
    stage.fake.fault({ path: /callback$/, kind: 'reset', times: 1 });
    stage.fake.gateway.dispatch('INTERACTION_CREATE', stage.fake.lastEvent('INTERACTION_CREATE'));
    await until(() => expect(stage.desk.heard).toHaveLength(2));
    await stage.adapter.stop();

    expect(sent.message()?.content).toBe('Accepted');
  },
);

test('an event that arrives too late is ignored', async () => {
  stage.desk.replies(publicReply('Hello'));
  stage.fake.fault({ path: /callback$/, times: 1, ...refusal(404, 10062, 'Unknown interaction') });
  stage.fake.user('ann').types('/help');

  await until(() => expect(callbacks()).toHaveLength(1));
  await stage.adapter.stop();

  expect(warnings()).toEqual([]);
});

test('no token and no picture is logged when Discord refuses', async () => {
  stage.fake.fault({ path: /callback$/, ...refusal(400, 50035, 'Invalid Form Body') });
  stage.desk.replies(publicReply('Hello'));
  const sent = stage.fake.user('ann').types('/help');

  await until(() => expect(stage.logged.join()).toContain('could not be answered'));
  expect(stage.logged.join()).not.toContain(sent.interaction.token);
  expect(stage.logged.join()).not.toContain(stage.fake.token);
});

test('there are 25 suggestions at most, within Discord’s length limits', async () => {
  const complete = vi.fn<typeof stage.desk.complete>(async () =>
    Array.from({ length: 40 }, (_, at) => ({ value: `${at}`, label: 'x'.repeat(200) })),
  );
  stage.desk.complete = complete;

  const answer = await stage.fake.user('ann').completes('/faceswap', 'filter', 'pop').answered();

  const asked = { command: 'faceswap', option: 'filter', typed: 'pop' };
  expect(complete).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(asked), 25);
  expect(answer.type).toBe(8);

  const { choices } = answer.data as { choices: readonly { name: string; value: string }[] };
  expect(choices).toHaveLength(25);
  expect(choices[0]).toEqual({ name: 'x'.repeat(100), value: '0' });
});

describe('a store that does not answer', () => {
  /** A call that never ends. `asked` resolves once it was made. */
  const hanging = () => {
    const begun = Promise.withResolvers<void>();
    const ask = (): Promise<never> => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    return { ask, asked: begun.promise };
  };

  test('a store that does not answer delays "thinking…" for a moment only', async () => {
    const { ask, asked } = hanging();

    stage.desk.refusal = ask;
    stage.desk.replies(card('Place in line: 1'));
    const sent = stage.fake.user('ann').types('/faceswap');
    await asked;
    await stage.clock.advance(150);

    expect((await sent.answered()).type).toBe(5);

    await until(() => expect(stage.desk.cards).toHaveLength(1));
  });

  test('a press that opens a form is answered in time although the store does not answer, and the question stays', async () => {
    const text = { option: 'prompt', label: 'Prompt', kind: 'text' } as const;
    const ask = {
      kind: 'ask',
      draft: 'd',
      questions: [text],
      view: view('What?'),
      audience: 'everyone',
    } as Reply;

    const question = await show(ask, '/faceswap');
    const ann = stage.fake.user('ann');
    const { ask: get, asked } = hanging();
    stage.state.get = get;
    const press = ann.presses(question, en.ask.open);
    await asked;
    await stage.clock.advance(1_200);

    expect((await press.answered()).type).toBe(4);
    expect(texts(stage.fake.messages(stage.fake.channel, ann))).toEqual(['What?', en.somethingBroke]);
  });

  test('no suggestions are sent, in time, while the store does not answer', async () => {
    const { ask, asked } = hanging();

    stage.desk.complete = ask;
    const sent = stage.fake.user('ann').completes('/faceswap', 'filter', 'pop');
    await asked;
    await stage.clock.advance(2_000);

    expect(await sent.answered()).toMatchObject({ type: 8, data: { choices: [] } });
  });
});
