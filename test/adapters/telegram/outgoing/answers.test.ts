import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../../src/command/reply.ts';
import { languages, wordsFor } from '../../../../src/words/words.ts';
import { asks } from '../../../contract/adapter/views.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import {
  answered,
  card,
  count,
  line,
  passUntil,
  publicReply,
  type Stage,
  setStage,
  setTimedStage,
  settled,
  stage,
} from '../../../fakes/telegram/stage.ts';

const ask = (kind: 'text' | 'choice' | 'image', more: Parameters<typeof asks>[1] = {}): Reply =>
  asks('draft1', more, { kind });

const choices = {
  view: { tone: 'ask', lines: ['Which?'], buttons: [[{ action: 'pick:draft1:a', label: 'A' }]] },
} as const;

/** The card that answers a button of a question. */
const following = (): Reply => ({ ...card(), replaces: true }) as Reply;
/** The card that answers a question in writing. */
const written = (): Reply => ({ ...card(), answers: 'draft1' }) as Reply;

/** Nothing else of the bot is there. */
const onlyCardIn = async (chat: Stage['group']): Promise<void> => {
  const shown = await stage.fake.until(() => stage.desk.cards[0], 'the card');
  const messages = stage.fake.fromBot(chat).map((each) => each.message_id);
  expect(messages).toEqual([JSON.parse(shown.card.ref).message]);
};

describe('answers in a group', () => {
  test('answers in a group that had to wait are sent one by one', async () => {
    const clock = createFakeClock();
    const limits = { groupPerMinute: 1_000, chatPerSecond: 1, chatBurst: 3, wholePerSecond: 1_000 };
    const { group } = await setStage({ clock, flood: limits });
    const people = Array.from({ length: 12 }, (_, index) => stage.fake.person(`Number ${index}`));
    stage.desk.replies(...people.map((_, index) => publicReply(`${index}`)));

    for (const each of people) each.types(group, '/help');
    await passUntil(clock, 250, () => stage.fake.fromBot(group).length === people.length);
    // Three at once, then one a second: each of the others is refused with them, and once more at most.
    const tries = stage.fake.calls.filter(({ method }) => method === 'sendMessage').length;

    expect(tries).toBeLessThanOrEqual(12 + 9 + 9);
  });

  test('a result as a file is a document in the topic of the press, which Telegram makes no photo of', async () => {
    const { ann } = await setStage();
    const group = stage.fake.group('Club', { forum: true });
    const thread = stage.fake.topic(group);
    const buttons = [[{ action: 'file:job-1', label: 'As a file' }]];
    const view = { ...line('the result'), buttons };
    stage.desk.replies({ kind: 'message', view, audience: 'everyone' });
    ann.types(group, '/help@darkroom_test_bot', { thread });
    const shown = await stage.fake.until(() => stage.fake.fromBot(group)[0], 'the result');
    const media = { kind: 'image', as: 'file', type: 'image/jpeg', name: 'darkroom-1.jpg', alt: '' } as const;
    const file = { ...media, bytes: await jpeg(), width: 8, height: 8 };
    stage.desk.replies({
      kind: 'result',
      job: 'job-1',
      view: { ...line('the file'), media: file },
      audience: 'everyone',
    });

    ann.presses(shown, 'As a file');
    const sent = await stage.fake.until(() => stage.fake.fromBot(group)[1], 'the file');

    expect(sent).toMatchObject({ message_thread_id: thread, document: { file_name: 'darkroom-1.jpg' } });
    const [call] = stage.fake.calls.filter(({ method }) => method === 'sendDocument');
    expect(String(call?.values.disable_content_type_detection)).toBe('true');
    expect(count('sendPhoto')).toBe(0);
  });

  test('answers in a group are in the topic of the command, as a reply to it', async () => {
    const { ann } = await setStage();
    const group = stage.fake.group('Club', { forum: true });
    const thread = stage.fake.topic(group);
    stage.desk.replies(card());

    const said = ann.types(group, '/faceswap@darkroom_test_bot 12', { thread, photo: await jpeg() });
    await stage.fake.until(() => stage.desk.cards[0]);
    const [shown] = stage.fake.fromBot(group);
    const { message_id } = said;

    expect(shown).toMatchObject({ message_thread_id: thread, reply_to_message: { message_id } });
    expect(stage.desk.heard[0]).toMatchObject({ line: '/faceswap 12', place: { thread: String(thread) } });

    const { card: ref } = stage.desk.cards[0] ?? {};
    expect(JSON.parse(ref?.ref ?? '{}')).toMatchObject({ chat: group.id, thread });
  });

  test('answers in a group are sent when the command was deleted meanwhile', async () => {
    const { ann, group } = await setStage();
    stage.desk.replies((): Reply => {
      ann.takesDown(said);
      return card();
    });
    const said = ann.types(group, '/faceswap 12');
    await stage.fake.until(() => stage.desk.cards[0]);
  });

  test('answers have no preview of any link', async () => {
    const { ann } = await setStage();
    const lines = [[{ link: 'x', url: 'https://example.org' }]];

    await answered(() => ann.types(ann.chat, '/help'), {
      kind: 'message',
      audience: 'everyone',
      view: { tone: 'info', lines },
    });
    const sent = stage.fake.calls.find(({ method }) => method === 'sendMessage');

    expect(sent?.values.link_preview_options).toEqual({ is_disabled: true });
    expect(sent?.values.parse_mode).toBeUndefined();
  });
});

describe('private answers', () => {
  test('a private answer without a private chat is an instruction to start one, and the job is cancelled', async () => {
    await setStage();
    const ann = stage.fake.person('Ann', { language: 'de' });
    const group = stage.fake.group('Club');
    stage.desk.replies(card('job-1', true));

    ann.types(group, '/faceswap 12 private=yes');
    const [told] = await stage.fake.until(() => stage.fake.fromBot(group)[0] && stage.fake.fromBot(group));

    expect(told?.text).toContain('Privat');
    expect(told?.reply_markup?.inline_keyboard.flat()).toMatchObject([
      { url: `https://t.me/${stage.fake.botName}?start=private` },
    ]);

    await settled(1);
    expect(stage.desk.cards).toEqual([]);
    expect(stage.desk.unseen).toEqual(['job-1']);
  });

  test('a job is cancelled if the bot is removed before its card is shown', async () => {
    const { ann, group } = await setStage();
    stage.desk.replies(() => {
      stage.fake.close(group);
      return card();
    });

    await answered(() => ann.types(group, '/faceswap 12'));
    expect(stage.desk.cards).toEqual([]);
    expect(stage.desk.unseen).toEqual(['job-1']);
  });

  test('an anonymous administrator has no private chat, so a job is refused, and a message is shown', async () => {
    await setStage();
    const mod = stage.fake.person('Mod');
    const group = stage.fake.group('Club', { administrators: [mod] });
    const shown = { kind: 'message', audience: 'caller-in-place', view: line('All settings') } as const;
    stage.desk.replies(card('job-1', true), shown);

    mod.types(group, '/faceswap 12 private=yes', { anonymous: true });
    mod.types(group, '/settings show', { anonymous: true });
    await stage.fake.until(() => stage.fake.fromBot(group).length === 2);
    const texts = stage.fake.fromBot(group).map(({ text }) => text);

    expect(texts[0]).toContain('anonymous administrator');
    expect(texts[1]).toBe('All settings');
    expect(stage.desk.cards).toEqual([]);
  });

  test('private answers to people whose language Telegram does not tell are in that of their group', async () => {
    await setStage();
    const mod = stage.fake.person('Mod');
    const group = stage.fake.group('Club', { administrators: [mod] });

    stage.desk.inLanguage = async (incoming) => ({
      ...incoming,
      caller: { ...incoming.caller, locale: incoming.caller.locale || 'de' },
    });
    stage.desk.replies(card('job-1', true), new Error('broken'), new Error('broken'));
    for (const [index, anonymous] of [true, true, false].entries()) {
      mod.types(group, '/faceswap 12', { anonymous });
      await stage.fake.until(() => stage.fake.fromBot(group).length === index + 1);
    }
    const texts = stage.fake.fromBot(group).map(({ text }) => text);
    const { de, en } = languages;

    expect(texts).toEqual([de.telegram.anonymous, de.somethingBroke, en.somethingBroke]);
  });
});

describe('questions', () => {
  test('questions with a written answer force a reply in a group, and are plain in a private chat', async () => {
    const { ann, group } = await setStage();

    const said = await answered(() => ann.types(group, '/animate'), ask('text'), card(), ask('text'), card());
    const [question] = stage.fake.fromBot(group);
    const forced_reply = { force_reply: true, selective: true };

    expect(question).toMatchObject({ forced_reply, reply_to_message: { message_id: said.message_id } });

    await answered(() => question && ann.replies(question, 'a slow zoom'));
    expect(stage.desk.heard[1]).toMatchObject({ via: 'answer', line: 'a slow zoom' });

    await answered(() => ann.types(ann.chat, '/animate'));
    expect(stage.fake.fromBot(ann.chat)[0]?.forced_reply).toBeUndefined();

    await answered(() => ann.types(ann.chat, 'a slow zoom'));
    expect(stage.desk.cards).toHaveLength(2);
  });

  test('questions with buttons say in a group that a written answer must be a reply, and those without force one', async () => {
    const { ann, group } = await setStage({ flood: 'off' });
    const listed = { option: 'filter', label: 'Filter', kind: 'reference', choices: [] } as const;
    const { choices: _none, ...unlisted } = listed;
    const view = { ...choices.view, lines: [wordsFor('en').ask.pickOrType] };
    const question = ask('text', { questions: [listed], view });
    stage.desk.replies(question, question, ask('text', { questions: [unlisted] }));

    await answered(() => ann.types(group, '/faceswap'));
    await answered(() => ann.types(ann.chat, '/faceswap'));
    await answered(() => ann.types(group, '/faceswap'));
    const [first, second] = stage.fake.fromBot(group);

    expect(first?.text).toContain('in reply to this one');
    expect(first?.reply_markup).toBeDefined();
    expect(second?.forced_reply).toBeDefined();
    expect(stage.fake.fromBot(ann.chat)[0]?.text).not.toContain('in reply');
  });

  test('questions that are answered by a button no longer accept a written answer', async () => {
    const { ann, group } = await setStage();

    await answered(() => ann.types(group, '/animate'), ask('text', choices), following());
    const [question, beside] = stage.fake.fromBot(group);
    if (question === undefined) throw new Error('no question');

    expect(beside?.forced_reply).toBeDefined();

    ann.presses(question, 'A');
    await stage.fake.until(() => stage.desk.cards[0], 'the card');
    await stage.fake.until(() => stage.fake.fromBot(group).length === 1, 'the other message to go');
    expect(stage.fake.fromBot(group)).toEqual([question]);
  });

  test('questions with buttons that are answered in writing are removed by the next process, too', async () => {
    const { ann, group } = await setStage({ flood: 'off' });

    await answered(() => ann.types(group, '/animate'), ask('text', choices));
    const [, beside] = stage.fake.fromBot(group);
    if (beside === undefined) throw new Error('nothing to answer to');
    await stage.adapter.stop();
    await stage.another().start();
    stage.desk.replies(written());
    ann.replies(beside, 'a slow zoom');
    await onlyCardIn(group);
  });

  test('questions with buttons that are answered by a late photo are removed, and by a refused one not', async () => {
    const { ann } = await setStage({ flood: 'off' });
    stage.desk.replies(
      ask('image', choices),
      { kind: 'message', audience: 'everyone', view: { tone: 'failed', lines: ['Not a photo'] } },
      ask('choice', { ...choices, answers: 'draft1' }),
      written(),
    );

    await answered(() => ann.types(ann.chat, '/animate'));
    await answered(() => ann.types(ann.chat, 'hm'));
    const haveButtons = () =>
      stage.fake.fromBot(ann.chat).map(({ reply_markup: buttons }) => buttons !== undefined);

    expect(haveButtons()).toHaveLength(2);
    expect(haveButtons()[0]).toBe(true);

    const photo = await jpeg();
    await answered(() => ann.types(ann.chat, '', { photo }));
    // The next question has taken the place of the first.
    expect(haveButtons()).toEqual([false, true]);

    ann.types(ann.chat, 'a');
    const shown = await stage.fake.until(() => stage.desk.cards[0], 'the card');
    await settled(4);
    expect(stage.fake.fromBot(ann.chat).at(-1)?.message_id).toBe(JSON.parse(shown.card.ref).message);
    expect(stage.fake.fromBot(ann.chat)).toHaveLength(2);
  });

  test('questions that cannot be removed do not delay their job', async () => {
    const { ann } = await setTimedStage({ flood: 'off' });

    await answered(() => ann.types(ann.chat, '/animate'), ask('text', choices), written());
    stage.fake.fault({ method: 'deleteMessage', kind: 400 });
    ann.types(ann.chat, 'a slow zoom');
    await stage.fake.until(() => stage.desk.cards[0], 'the card');
  });

  test('questions that were removed before their reply get a new message as reply', async () => {
    const { ann, group } = await setStage();
    stage.desk.replies(ask('choice', choices), (): Reply => {
      ann.takesDown(question);
      return following();
    });

    ann.types(group, '/animate');
    const question = await stage.fake.until(() => stage.fake.fromBot(group)[0]);
    await settled(1);
    ann.presses(question, 'A');
    await onlyCardIn(group);
  });

  test('questions that follow a press mention the presser, when the answer must be written', async () => {
    const { ann } = await setStage();
    const bob = stage.fake.person('Bob');
    const group = stage.fake.group('Club');
    stage.desk.replies(card(), ask('text'));

    ann.types(group, '/faceswap 12');
    const shown = await stage.fake.until(() => stage.fake.fromBot(group)[0]);
    bob.presses(shown, 'Cancel');
    const prompt = await stage.fake.until(() => stage.fake.fromBot(group)[1]);

    expect(prompt.entities?.[0]).toMatchObject({ type: 'text_mention', user: { id: bob.user.id } });
    expect(prompt.forced_reply).toBeDefined();
  });

  test('questions asked in private one after the other are all answered there', async () => {
    const { ann, group } = await setStage({ flood: 'off' });
    stage.fake.openPrivate(ann);
    const more = ask('text', { audience: 'caller' });
    const wrong: Reply = {
      kind: 'message',
      audience: 'everyone',
      view: { tone: 'failed', lines: ['Too long.'] },
    };
    stage.desk.replies(more, more, wrong, card('job-1', true));

    ann.types(group, '/transition private=yes');
    for (const [index, said] of ['one', 'two', 'three', 'just talk'].entries()) {
      await settled(index + 1);
      ann.types(ann.chat, said);
    }
    await settled(5);
    const places = stage.desk.heard.map(({ place }) => place.channel);

    expect(places).toEqual([...Array(4).fill(String(group.id)), String(ann.chat.id)]);
  });
});

describe('a card whose response is lost', () => {
  const again = 'Sent again after an interruption.';

  const texts = (person: { readonly chat: Parameters<Stage['fake']['fromBot']>[0] }): string[] =>
    stage.fake.fromBot(person.chat).map(({ text }) => text ?? '');

  test.each([
    {
      what: 'is sent again, and the second says that it is the current one',
      fault: { kind: 'lost' },
      more: {},
      says: [false, true],
    },
    {
      what: 'that cannot have been sent is sent',
      fault: { kind: 429, retryAfter: 1 },
      more: {},
      says: [false],
    },
    { what: 'in another process says so as well', fault: undefined, more: { again: true }, says: [true] },
  ] as const)('a card whose response is lost: $what', async ({ fault, more, says }) => {
    const { ann } = await setStage();
    stage.desk.replies({ ...card(), ...more } as Reply);

    if (fault !== undefined) stage.fake.fault({ method: 'sendMessage', ...fault });
    ann.types(ann.chat, '/faceswap 12');
    const { card: ref } = await stage.fake.until(() => stage.desk.cards[0], 'the card');

    expect(texts(ann).map((text) => text.includes(again))).toEqual(says);
    expect(JSON.parse(ref.ref).message).toBe(stage.fake.fromBot(ann.chat).at(-1)?.message_id);
    expect(stage.desk.cards).toHaveLength(1);
  });

  test('a card whose edit lost its response is edited again, and there is no second', async () => {
    const { ann } = await setStage();
    stage.desk.replies(ask('choice', choices), following());

    ann.types(ann.chat, '/faceswap');
    const question = await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0], 'the question');
    stage.fake.fault({ method: 'editMessageText', kind: 'lost' });
    ann.presses(question, 'A');
    await stage.fake.until(() => stage.desk.cards[0], 'the card');

    expect(texts(ann)).toHaveLength(1);
    expect(texts(ann)[0]).not.toContain(again);
  });

  test('a private card whose response is lost exists once, also when its question in the group cannot be removed', async () => {
    const { ann, group } = await setStage();
    stage.fake.openPrivate(ann);
    const shown = { ...card('job-1', true), replaces: true } as Reply;

    await answered(() => ann.types(group, '/faceswap'), ask('choice', choices), shown);
    const [question] = stage.fake.fromBot(group);
    stage.fake.fault({ method: 'deleteMessage', kind: 'reset' });
    if (question) ann.presses(question, 'A');
    await stage.fake.until(() => stage.desk.cards[0], 'the card');

    expect(texts(ann)).toHaveLength(1);
  });
});
