import { beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { languages, wordsFor } from '../../../src/words/words.ts';
import { asks } from '../../contract/adapter/views.ts';
import { holds } from '../../eventually.ts';
import type { FakeClock } from '../../fakes/clock.ts';
import { jpeg } from '../../fakes/pictures.ts';
import { createScriptedDesk } from '../../fakes/scripted-desk.ts';
import type { TelegramPerson } from '../../fakes/telegram/people.ts';
import {
  answered,
  card,
  line,
  passUntil,
  picture,
  publicReply,
  type Stage,
  setTimedStage,
  settled,
  stage,
} from '../../fakes/telegram/stage.ts';
import type { StoredMessage } from '../../fakes/telegram/world.ts';

const person = (name = 'Ann', client: 'old' | 'new' = 'new'): TelegramPerson =>
  stage.fake.person(name, { client });

let clock: FakeClock;
let ann: TelegramPerson;
let group: Stage['group'];

beforeEach(async () => {
  ({ clock, group } = await setTimedStage({ flood: 'off' }));
  await stage.fake.until(() => stage.fake.menus.size >= 4 * Object.keys(languages).length, 'the menus');
  ann = person();
});

const say = (text: string, more: Partial<Extract<Reply, { kind: 'message' }>> = {}): Reply => ({
  kind: 'message',
  audience: 'caller-in-place',
  view: line(text),
  ...more,
});

const refusal = (text = 'Paused'): Reply => say(text, { view: { tone: 'failed', lines: [text] } });

const withButton = (text: string): Reply =>
  say(text, { view: { ...line(text), buttons: [[{ action: 'page:d1:1', label: 'More' }]] } });

const textOf = ({ text, caption }: StoredMessage): string => (text ?? caption ?? '').replaceAll('\u2060', '');

const sends = (method = /^send|^edit|^delete(?!Webhook)/) =>
  stage.fake.calls.filter((call) => method.test(call.method));

/** The adapter stores its knowledge of the person's app after the answer. */
const isKnown = ({ user }: TelegramPerson, expected = true): Promise<void> =>
  holds(async () =>
    expect(await stage.state.get(`telegram:new-app:${user.id}`)).toBe(expected ? true : undefined),
  );

/** The person has sent an ephemeral command there. */
const showsApp = async (who: TelegramPerson, where: Stage['group'] = group): Promise<void> => {
  await answered(() => who.types(where, '/help'), say('Yours'));
  await isKnown(who);
  const [shown] = stage.fake.alone(where, who);
  if (shown) who.takesDown(shown);
};

describe('a personal command in a group', () => {
  test('a personal command in a group is answered to its sender alone, in its topic, whoever may read along', async () => {
    const bob = person('Bob');

    group = stage.fake.group('Club', { forum: true });
    const thread = stage.fake.topic(group);
    const open: Reply = publicReply('For everybody');
    stage.desk.replies(open, say('In place'), say('In private', { audience: 'caller' }));
    for (let times = 0; times < 3; times += 1) await answered(() => ann.types(group, '/help', { thread }));
    const alone = stage.fake.alone(group, ann);

    expect(alone.map(textOf)).toEqual(['For everybody', 'In place', 'In private']);
    expect(alone).toMatchObject([1, 2, 3].map(() => ({ message_id: 0, message_thread_id: thread })));

    const elsewhere = [stage.fake.fromBot(group), stage.fake.fromBot(ann.chat), stage.fake.alone(group, bob)];
    expect(elsewhere.flat()).toEqual([]);
  });

  test('a personal command from an app that is too old is answered visibly', async () => {
    ann = person('Ann', 'old');
    group = stage.fake.group('Club', { botIsAdministrator: true });
    stage.fake.openPrivate(ann);
    stage.desk.replies(say('In place'), say('In private', { audience: 'caller' }), refusal());
    for (let times = 0; times < 3; times += 1) await answered(() => ann.types(group, '/help'));

    expect(stage.fake.fromBot(group).map(textOf)).toEqual(['In place', 'Paused']);
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['In private']);
  });

  test('a personal command that Telegram delivers twice is handled once', async () => {
    await answered(() => ann.types(group, '/help'), say('Once'), say('Twice'));
    stage.fake.delivery.again(100_001);
    // Another message with the same ids of message and chat is another one.
    await answered(() => ann.types(group, '/help'));

    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['Once', 'Twice']);
    expect(new Set(stage.desk.heard.map(({ event }) => event)).size).toBe(2);
  });

  test('a personal command with a long answer gets several messages, with the buttons under the last', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(60)}`);
    const buttons = [[{ action: 'page:d1:1', label: 'More' }]];
    stage.desk.replies(say('', { view: { tone: 'info', title: 'All', lines, buttons } }));

    await answered(() => ann.types(group, '/help'));
    const alone = stage.fake.alone(group, ann);

    expect(alone.map(textOf).join('\n')).toBe(['All', '', ...lines].join('\n'));
    expect(alone.length).toBeGreaterThan(1);
    expect(alone.filter(({ reply_markup: keyboard }) => keyboard !== undefined)).toEqual(alone.slice(-1));
  });

  test('a personal command shows a job to everybody, or in private, because an ephemeral message may vanish', async () => {
    stage.fake.openPrivate(ann);

    const result: Reply = {
      kind: 'result',
      job: 'job',
      audience: 'everyone',
      view: picture(await jpeg()),
    };
    stage.desk.replies(card('open'), card('private', true), result);
    for (let times = 0; times < 3; times += 1) await answered(() => ann.types(group, '/help'));
    const chats = stage.desk.cards.map(({ card: { ref } }) => JSON.parse(ref).chat);

    expect(chats).toEqual([group.id, ann.chat.id]);
    expect(stage.fake.fromBot(group)).toHaveLength(2);
    expect(stage.fake.alone(group, ann)).toEqual([]);
  });

  test('a personal command by an anonymous administrator is not answered with anything personal', async () => {
    group = stage.fake.group('Club', { administrators: [ann] });
    await answered(
      () => ann.types(group, '/help', { anonymous: true }),
      say('A secret', { audience: 'caller' }),
    );
    expect(stage.fake.fromBot(group).map(textOf)).toEqual([wordsFor('en').telegram.anonymous]);
  });
});

describe('buttons of an ephemeral answer', () => {
  const open = async (): Promise<StoredMessage> => {
    stage.fake.openPrivate(ann);
    await answered(() => ann.types(group, '/help'), withButton('Page 1'));
    const [shown] = stage.fake.alone(group, ann);
    if (shown === undefined) throw new Error('no answer');
    return shown;
  };

  test.each<{ what: string; reply: Reply }>([
    { what: 'a page', reply: { kind: 'replace', view: line('Page 2') } },
    { what: 'an answer', reply: say('Page 2', { audience: 'caller' }) },
    { what: 'the next question', reply: say('Page 2', { replaces: true }) },
  ])('a button of an ephemeral answer: $what takes its place, however late', async ({ reply }) => {
    const shown = await open();
    stage.desk.replies(async () => {
      await clock.advance(20_000);
      return reply;
    });

    await answered(() => ann.presses(shown, 'More'));
    expect(stage.fake.alone(shown.chat, ann).map(textOf)).toEqual(['Page 2']);
    // Only messages that last can be a job's card.
    expect(stage.desk.heard[1]?.pressed).toBeUndefined();
  });

  test('a button that leads to a job removes the ephemeral question, and the card is everybody’s', async () => {
    const shown = await open();
    await answered(() => ann.presses(shown, 'More'), { ...card(), replaces: true } as Reply);
    expect(stage.fake.alone(shown.chat, ann)).toEqual([]);
    expect(stage.fake.fromBot(shown.chat)).toHaveLength(1);
  });

  test('a button of an ephemeral answer can remove it', async () => {
    const shown = await open();
    stage.desk.replies({ kind: 'remove', note: 'Gone' });

    const press = await answered(() => ann.presses(shown, 'More'));
    expect(stage.fake.alone(shown.chat, ann)).toEqual([]);
    expect(stage.fake.pressAnswer(press)).toMatchObject({ text: 'Gone' });
  });

  test('a button that leads from an ephemeral text to a picture, or back, begins a new message', async () => {
    const shown = await open();

    const page = picture(await jpeg(), { tone: 'info', buttons: [[{ action: 'page:d1:0', label: 'Back' }]] });
    stage.desk.replies({ kind: 'replace', view: page }, { kind: 'replace', view: line('Text again') });
    await answered(() => ann.presses(shown, 'More'));
    const [pictured] = stage.fake.alone(shown.chat, ann);

    expect(pictured).toHaveProperty('photo');

    await answered(() => pictured && ann.presses(pictured, 'Back'));
    expect(stage.fake.alone(shown.chat, ann).map(textOf)).toEqual(['Text again']);
  });

  test('a button of an ephemeral answer that Telegram has forgotten is answered by a new message', async () => {
    const shown = await open();
    stage.fake.expire(shown.chat);

    await answered(() => ann.presses(shown, 'More'), { kind: 'replace', view: line('Page 2') });
    expect(stage.fake.alone(shown.chat, ann).map(textOf)).toEqual(['Page 2']);
    expect(stage.fake.fromBot(shown.chat)).toEqual([]);
  });

  test('a button that comes without its ephemeral message, because it is old, is answered to the presser alone', async () => {
    const shown = await open();
    stage.desk.replies(say('A secret', { replaces: true }));

    await answered(() => ann.forges({ chat: shown.chat, message_id: 0, date: 0 }, 'page:d1:1'));
    expect(stage.fake.alone(shown.chat, ann).map(textOf)).toEqual(['Page 1', 'A secret']);
    expect(stage.fake.fromBot(shown.chat)).toEqual([]);
  });

  test('a button of an ephemeral answer never changes the message of another person with the same id', async () => {
    const shown = await open();
    const bob = person('Bob');
    stage.desk.replies(withButton('Bob’s page'), { kind: 'replace', view: line('Page 2') });

    await answered(() => bob.types(shown.chat, '/help'));
    expect(stage.fake.alone(shown.chat, bob)[0]?.ephemeral_message_id).toBe(shown.ephemeral_message_id);

    await answered(() => ann.presses(shown, 'More'));
    expect(stage.fake.alone(shown.chat, bob).map(textOf)).toEqual(['Bob’s page']);
    expect(stage.fake.alone(shown.chat, ann).map(textOf)).toEqual(['Page 2']);
  });

  test('a refusal that is too long for a note is written beside the ephemeral message', async () => {
    const shown = await open();
    await answered(() => ann.presses(shown, 'More'), refusal('No. '.repeat(80).trim()));
    expect(stage.fake.alone(shown.chat, ann).map(textOf)).toEqual(['Page 1', 'No. '.repeat(80).trim()]);
    expect(stage.fake.fromBot(ann.chat)).toEqual([]);
  });
});

const buttons = [[{ action: 'pick:draft1:a', label: 'A' }]];

describe('questions', () => {
  const ask = (more: Parameters<typeof asks>[1] = {}): Reply =>
    asks('draft1', { audience: 'caller', ...more });

  test('questions are asked and answered ephemerally, with text and with a photo, by any process', async () => {
    const asked = { tone: 'ask', lines: ['Which photo?'], buttons } as const;

    await answered(() => ann.types(group, '/help'), ask(), ask({ view: asked, answers: 'draft1' }));
    const [first] = stage.fake.alone(group, ann);

    expect(first && textOf(first)).toContain(wordsFor('en').telegram.answerHere);

    await answered(() => first && ann.replies(first, 'me'));
    const second = stage.fake.alone(group, ann).at(-1);
    if (second) ann.replies(second, '', { photo: await jpeg() });
    // The process that asked is gone.
    stage.desk.replies(say('Kept', { answers: 'draft1', audience: 'caller' }));
    await settled(3);
    const heard = stage.desk.heard.map(({ line: said, photos }) => `${said} ${photos.length}`);

    expect(heard).toEqual(['/help 0', 'me 0', ' 1']);
    expect(stage.fake.alone(group, ann).map(textOf).at(-1)).toBe('Kept');
    // The one with buttons is removed: they no longer apply.
    expect(stage.fake.alone(group, ann).map(textOf)).not.toContain('Which photo?');
    expect(stage.fake.fromBot(group)).toEqual([]);
  });

  test('a question whose id another message has got does not remove that message', async () => {
    stage.desk.replies(ask({ view: { tone: 'ask', lines: ['Which name?'], buttons } }), say('Other'));

    await answered(() => ann.types(group, '/help'));
    const [question] = stage.fake.alone(group, ann);
    if (question) ann.takesDown(question);
    await answered(() => ann.types(group, '/help'));
    const [other] = stage.fake.alone(group, ann);

    expect(other?.ephemeral_message_id).toBe(question?.ephemeral_message_id);

    stage.desk.replies(say('Thanks', { answers: 'draft1' }));
    await answered(() => other && ann.replies(other, 'me'));
    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['Other', 'Thanks']);
  });
});

describe('an answer that takes longer than Telegram allows', () => {
  test('an ephemeral answer that takes too long is announced, and takes the place of the announcement', async () => {
    const slow = Promise.withResolvers<Reply>();
    stage.desk.replies(slow.promise);

    ann.types(group, '/help');
    const alone = () => stage.fake.alone(group, ann).map(textOf);
    await passUntil(clock, 500, () => alone().length === 1);

    expect(alone()).toEqual([wordsFor('en').telegram.working]);

    await clock.advance(60_000);
    slow.resolve(say('At last'));
    await settled(1);
    expect(alone()).toEqual(['At last']);
  });

  test('an ephemeral answer by another process takes the place of the announcement, too', async () => {
    stage.desk.replies(new Promise(() => undefined));

    ann.types(group, '/help');
    await passUntil(clock, 500, () => stage.fake.alone(group, ann).length === 1);
    const desk = createScriptedDesk();
    desk.replies(say('At last'));
    const next = stage.another(desk);
    await next.start();
    await passUntil(clock, 500, () => stage.fake.alone(group, ann).map(textOf).includes('At last'));

    expect(stage.fake.alone(group, ann)).toHaveLength(1);
  });

  test.each([
    { outcome: 'is given in private', hasChat: true },
    { outcome: 'leaves a line without anything personal where there is no private chat', hasChat: false },
  ])('an ephemeral answer that takes too long and cannot be announced $outcome', async ({ hasChat }) => {
    if (hasChat) stage.fake.openPrivate(ann);
    stage.fake.fault({ method: 'sendMessage', kind: 403, description: 'Forbidden: anything' });
    const slow = Promise.withResolvers<Reply>();
    stage.desk.replies(slow.promise);
    ann.types(group, '/help');
    await passUntil(clock, 500, () => sends().length === 1);
    await clock.advance(20_000);
    slow.resolve(say('A secret'));
    await settled(1);

    expect(stage.fake.alone(group, ann)).toEqual([]);
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(hasChat ? ['A secret'] : []);

    const expected = hasChat ? [] : [wordsFor('en').telegram.startFirst];
    expect(stage.fake.fromBot(group).map(textOf)).toEqual(expected);
  });
});

describe('what Telegram refuses', () => {
  test.each([400, 403])(
    'an ephemeral message that Telegram refuses is sent in another way once, which is learned for a while (%i)',
    async (code) => {
      stage.fake.openPrivate(ann);
      stage.fake.fault({ method: 'sendMessage', kind: code, description: 'BOT_NOT_ADMIN' });
      const answers = ['1', '2', '3'];

      await answered(() => ann.types(group, '/help'), ...answers.map((each) => say(each)));
      expect(sends()).toHaveLength(2);

      await answered(() => ann.types(group, '/help'));
      expect(sends()).toHaveLength(3);

      await clock.advance(11 * 60_000);
      await answered(() => ann.types(group, '/help'));
      expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['1', '2']);
      expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['3']);
    },
  );

  test('an ephemeral message refused for one person, who may have left, is no reason not to send them to others', async () => {
    const mallory = person('Mallory');

    group = stage.fake.group('Club');
    stage.fake.fault({ method: 'sendMessage', kind: 400, description: 'USER_NOT_PARTICIPANT' });
    await answered(() => mallory.types(group, '/help'), say('1'), say('2'));
    await answered(() => ann.types(group, '/help'));

    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['2']);
  });

  test('ephemeral messages that Telegram refused are tried again when the bot’s rights have changed', async () => {
    stage.fake.openPrivate(ann);
    stage.fake.fault({ method: 'sendMessage', kind: 400, description: 'BOT_NOT_ADMIN' });

    await answered(() => ann.types(group, '/help'), say('1'), say('2'));
    stage.fake.promoteBot(group, ann);
    await settled(1);
    await answered(() => ann.types(group, '/help'));

    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['2']);
  });

  test.each(['command', 'press'])(
    'an ephemeral message refused because the %s waited too long says nothing of the chat',
    async (what) => {
      stage.fake.openPrivate(ann);

      await answered(() => ann.types(group, '/help'), withButton('First'));
      const [shown] = stage.fake.alone(group, ann);
      await stage.adapter.stop();
      const late = 'Late. '.repeat(50).trim();
      stage.desk.replies(refusal(late), say('In time'));
      if (what === 'press' && shown) ann.presses(shown, 'More');
      else ann.types(group, '/help');
      await clock.advance(20_000);
      await stage.another().start();
      await settled(2);
      await answered(() => ann.types(group, '/help'));

      expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual([late]);
      expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['First', 'In time']);
    },
  );

  test('an ephemeral message refused as late by Telegram’s clock, which is ahead, says nothing of the chat', async () => {
    stage.fake.openPrivate(ann);
    await stage.adapter.stop();
    stage.desk.replies(say('Late'), say('In time'));

    ann.types(group, '/help');
    await clock.advance(12_000);
    stage.fake.fault({ method: 'sendMessage', kind: 400, description: 'MESSAGE_TOO_OLD' });
    await stage.another().start();
    await settled(1);
    await answered(() => ann.types(group, '/help'));

    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['Late']);
    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['In time']);
  });
});

describe('nothing is shown to others', () => {
  test('nothing is shown to others when the group must wait: the answer is private, and in time', async () => {
    stage.fake.openPrivate(ann);
    stage.fake.fault({ method: 'sendMessage', kind: 429, retryAfter: 60, description: 'Too Many Requests' });

    await answered(() => ann.types(group, '/help'), say('A secret'), say('Later'));
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['A secret']);

    await clock.advance(61_000);
    await answered(() => ann.types(group, '/help'));
    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['Later']);
    expect(stage.fake.fromBot(group)).toEqual([]);
  });

  test('nothing is shown to others when the group has become a supergroup', async () => {
    group = stage.fake.group('Club', { basic: true });
    stage.fake.openPrivate(ann);
    stage.desk.replies(withButton('Page 1'), { kind: 'replace', view: line('Page 2') });
    await answered(() => ann.types(group, '/help'));
    const [shown] = stage.fake.alone(group, ann);
    const grown = stage.fake.migrate(group);
    await settled(1);
    await answered(() => shown && ann.presses(shown, 'More'));

    expect(stage.fake.fromBot(grown)).toEqual([]);
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['Page 2']);
  });

  test('nothing is shown to others when the response was lost: the answer is sent again to the same person', async () => {
    stage.fake.fault({ method: 'sendMessage', kind: 'lost' });
    stage.desk.replies(say('A secret'));

    ann.types(group, '/help');
    await passUntil(clock, 500, () => stage.unhandled() === 0 && stage.desk.heard.length === 1);

    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['A secret', 'A secret']);
    expect(stage.fake.fromBot(group)).toEqual([]);
  });
});

describe('the refusal of a command that everybody sees', () => {
  const refuse = async (who: TelegramPerson, text: string): Promise<void> => {
    await answered(() => who.types(group, '/faceswap'), refusal(text));
  };

  const seenByAll = (): readonly string[] => stage.fake.fromBot(group).map(textOf);
  const seenBy = (who: TelegramPerson): readonly string[] => stage.fake.alone(group, who).map(textOf);

  beforeEach(() => {
    group = stage.fake.group('Club', { botIsAdministrator: true });
  });

  test('a refused command is answered to everybody while nothing is known of the sender’s app', async () => {
    const bob = person('Bob', 'old');

    await refuse(ann, 'Ann, no');
    await refuse(bob, 'Bob, no');

    expect(seenByAll()).toEqual(['Ann, no', 'Bob, no']);
    expect(seenBy(ann)).toEqual([]);
  });

  test.each(['command', 'press'])(
    'a refused command is answered to its sender alone for 30 days after each ephemeral %s of theirs',
    async (what) => {
      let adapter = stage.adapter;
      const restartAfter = async (days: number): Promise<void> => {
        await adapter.stop();
        await clock.advance(days * 24 * 3_600_000);
        adapter = stage.another();
        await adapter.start();
      };

      stage.fake.openPrivate(ann);

      await answered(() => ann.types(group, '/help'), withButton('Page 1'));
      const [shown] = stage.fake.alone(group, ann);
      await restartAfter(29);
      await answered(() =>
        what === 'press' && shown ? ann.presses(shown, 'More') : ann.types(group, '/help'),
      );
      stage.fake.expire(group);
      await restartAfter(29);
      await refuse(ann, 'Ann, no');
      await restartAfter(2);
      await refuse(ann, 'No again');

      expect(seenBy(ann)).toEqual(['Ann, no']);
      expect(seenByAll()).toEqual(['No again']);
    },
  );

  test('a refusal for a person with two apps goes by the app that they used last', async () => {
    await showsApp(ann);
    const onOldApp = person('Ann', 'old');
    Object.assign(onOldApp.user, { id: ann.user.id });
    await answered(() => onOldApp.types(group, '/help'), say('As before'));
    await isKnown(ann, false);
    await refuse(onOldApp, 'No');
    await showsApp(ann);
    await refuse(ann, 'No again');

    expect(seenByAll()).toEqual(['As before', 'No']);
    expect(seenBy(ann)).toEqual(['No again']);
  });

  test('a personal command with a photo, which some new apps send to everybody, tells nothing of the app', async () => {
    await showsApp(ann);
    const withPhoto = person('Ann', 'old');
    Object.assign(withPhoto.user, { id: ann.user.id });
    stage.desk.replies(say('As before'));
    const photo = await jpeg();
    await answered(() => withPhoto.types(group, '/help', { photo }));
    await refuse(ann, 'No');

    expect(seenBy(ann)).toEqual(['No']);
  });

  test('an ephemeral refusal that Telegram does not take from one person stays ephemeral for the others', async () => {
    const bob = person('Bob');

    await showsApp(ann);
    await showsApp(bob);
    stage.fake.fault({ method: 'sendMessage', kind: 400, description: 'Bad Request: USER_NOT_PARTICIPANT' });
    await refuse(ann, 'Ann, no');
    await refuse(bob, 'Bob, no');

    expect(seenByAll()).toEqual(['Ann, no']);
    expect(seenBy(bob)).toEqual(['Bob, no']);
  });

  test('the knowledge of a person’s app is deleted with the person’s data', async () => {
    await showsApp(ann);
    const caller = { platform: 'telegram', id: String(ann.user.id), name: 'Ann', locale: 'en' } as const;
    await stage.adapter.forget(caller);
    await refuse(ann, 'No');

    expect(seenByAll()).toEqual(['No']);
  });

  test('an ephemeral refusal is never the card of a job, also where the question before it is gone', async () => {
    const view = { tone: 'failed', lines: ['Failed at once'] } as const;

    await showsApp(ann);
    stage.desk.replies(asks('draft1', { view: { tone: 'ask', lines: ['Which?'], buttons } }), (): Reply => {
      if (question) ann.takesDown(question);
      return { kind: 'card', job: 'job-1', view, audience: 'everyone', replaces: true };
    });
    await answered(() => ann.types(group, '/faceswap'));
    const [question] = stage.fake.fromBot(group);
    await answered(() => question && ann.presses(question, 'A'));

    expect(stage.desk.cards).toHaveLength(1);
    expect(stage.fake.alone(group, ann)).toEqual([]);
  });

  test('a refusal that concerns the whole chat is for everybody where nobody there may use the bot', async () => {
    const note = { kind: 'note', text: 'Blocked' } as const;

    await showsApp(ann);
    stage.desk.replies(note, { kind: 'chat-note', text: 'Not approved' });
    for (let times = 0; times < 2; times += 1) await answered(() => ann.types(group, '/faceswap'));

    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['Blocked']);
    expect(stage.fake.fromBot(group).map(textOf)).toEqual(['Not approved']);
  });

  test('a refusal is for everybody where the bot is no administrator, which it learns from the first', async () => {
    const bob = person('Bob');

    group = stage.fake.group('Club');
    await showsApp(ann);
    await showsApp(bob);
    await refuse(ann, 'Not here');
    const attempts = sends().length;
    await refuse(bob, 'Nor here');

    expect(sends()).toHaveLength(attempts + 1);
    expect(seenByAll()).toEqual(['Not here', 'Nor here']);

    // An ephemeral question of the person is another thing.
    await answered(() => ann.types(group, '/help'), say('Yours'));
    expect(seenBy(ann)).toEqual(['Yours']);
  });
});

describe('a press that is refused late, when its spinner has ended', () => {
  const pressLate = async (who: TelegramPerson, reply: Reply): Promise<void> => {
    await answered(() => who.types(group, '/faceswap'), card());
    const message = stage.fake.fromBot(group).at(-1);
    stage.desk.replies(async () => {
      await clock.advance(2_000);
      return reply;
    });
    await answered(() => message && who.presses(message, 'Cancel'));
  };

  const seenByAll = (): readonly string[] => stage.fake.fromBot(group).slice(1).map(textOf);

  test('a press that is refused late is answered to the presser alone if their app is known to show it', async () => {
    group = stage.fake.group('Club', { botIsAdministrator: true });
    await showsApp(ann);
    await pressLate(ann, refusal('No'));

    expect(stage.fake.alone(group, ann).map(textOf)).toEqual(['No']);
    expect(seenByAll()).toEqual([]);
  });

  test('a press that is refused late is answered in private if nothing is known of the app', async () => {
    stage.fake.openPrivate(ann);
    await pressLate(ann, refusal('No'));
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['No']);
    expect(seenByAll()).toEqual([]);
  });

  test('a press that is refused late is answered to everybody if there is no private chat, unless it is only a note', async () => {
    const bob = person('Bob', 'old');
    await pressLate(bob, refusal('No'));
    expect(seenByAll()).toEqual(['No']);

    group = stage.fake.group('Another club');
    await pressLate(bob, { kind: 'note', text: 'Thank you for your report.' });
    expect(seenByAll()).toEqual([]);
  });
});

describe('a Bot API server that does not know ephemeral messages', () => {
  beforeEach(() => stage.fake.ignoreEphemerals());

  test('a server without ephemeral messages shows one to everybody once, and is remembered, also after a restart', async () => {
    group = stage.fake.group('Club');
    stage.fake.openPrivate(ann);
    const long = Array.from({ length: 60 }, (_, index) => `${index} ${'secret '.repeat(9)}`);
    stage.desk.replies(say('', { audience: 'caller', view: { tone: 'info', title: 'All', lines: long } }));
    await answered(() => ann.types(group, '/help'));

    expect(stage.fake.fromBot(group)).toEqual([]);
    expect(stage.fake.fromBot(ann.chat).map(textOf).join()).toContain('secret');
    expect(sends(/^deleteMessage$/)).toHaveLength(1);

    await stage.adapter.stop();
    await stage.another().start();
    await answered(() => ann.types(group, '/help'), say('Another secret', { audience: 'caller' }));
    expect(sends(/^deleteMessage$/)).toHaveLength(1);
    expect(sends().filter(({ values }) => 'ephemeral_message_parameters' in values)).toHaveLength(1);
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toContain('Another secret');
  });

  test('a server without ephemeral messages that does not remove one at once is asked again', async () => {
    stage.fake.openPrivate(ann);
    stage.fake.fault({ method: 'deleteMessage', kind: 502 });
    stage.desk.replies(say('A secret'));

    ann.types(group, '/help');
    await passUntil(clock, 100, () => stage.unhandled() === 0 && stage.desk.heard.length === 1);

    expect(stage.fake.fromBot(group)).toEqual([]);
    expect(stage.fake.fromBot(ann.chat).map(textOf)).toEqual(['A secret']);
  });
});
