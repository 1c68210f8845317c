import { beforeEach, describe, expect, test } from 'vitest';
import faceswap from '../../../commands/faceswap.ts';
import { commands } from '../../../commands/index.ts';
import { afterAnswersAreSent } from '../../../src/base/clock.ts';
import { createKnownUsers } from '../../../src/command/desk/known-users.ts';
import { wordsFor } from '../../../src/words/words.ts';
import {
  ann,
  bob,
  buttonsOf,
  createFakeChat,
  direct,
  labelsOf,
  photo,
  photo2,
  room,
  textOf,
  uuid,
} from '../../fakes/call.ts';

let chat: ReturnType<typeof createFakeChat>;

beforeEach(() => {
  chat = createFakeChat();
});

const madeJob = {
  kind: 'card',
  job: 'job-1',
  view: { tone: 'busy', lines: [] },
  audience: 'everyone',
} as const;

describe('permissions and community rules', () => {
  const twoChannels = ['studio', 'art'].map((channel) => ({ ...room, channel }));
  const sixChannels = ['1', '2', '3', '4', '5', '6'].map((channel) => ({ ...room, channel }));
  const animate = { event: 'e', caller: ann, place: room, command: 'animate', given: { prompt: 'waves' } };

  test.each([
    {
      what: 'a pause',
      change: { paused: { reason: 'back at noon' } },
      refusal: /paused.*back at noon/,
    },
    {
      what: 'another channel',
      change: { channels: twoChannels },
      refusal: /made here: .*\nGo to: studio art/,
    },
    {
      what: 'another channel, of so many that not all are named',
      change: { channels: sixChannels },
      refusal: /\nGo to: 1 2 3 4 5$/,
    },
    {
      what: 'another channel where none is left',
      change: { channels: [] },
      refusal: /made here: [^\n]*$/,
    },
    {
      what: 'a blocked word',
      change: { bannedWords: ['waves'] },
      refusal: /does not allow/,
    },
  ])(
    '$what refuses a command before it is run, and only one that makes something',
    async ({ change, refusal }) => {
      const { desk, state, type } = chat;
      expect(await desk.refusal(animate)).toBeUndefined();

      Object.assign(state, change);

      expect(textOf(await desk.refusal(animate))).toMatch(refusal);
      expect(await type('/animate waves', photo)).toMatch(refusal);
      expect(state.generated).toEqual([]);
      expect(await type('/usage')).toContain('Credits today');
    },
  );

  test.each([
    {
      what: 'a block',
      change: { blocked: new Set(['web:ann']) },
      refusal: /blocked you/,
    },
    {
      what: 'a community without an approval',
      change: { unapproved: new Set(['web:room']) },
      refusal: /approved/,
    },
  ])('$what refuses every command before it is run', async ({ change, refusal }) => {
    const { desk, state, type } = chat;
    expect(await desk.refusal(animate)).toBeUndefined();

    Object.assign(state, change);

    expect(textOf(await desk.refusal(animate))).toMatch(refusal);
    expect(await type('/animate waves', photo)).toMatch(refusal);
    expect(state.generated).toEqual([]);
    expect(await type('/usage')).toMatch(refusal);
  });

  test('blocked words are refused in every text, also in one that is asked for', async () => {
    chat.state.bannedWords.push('forbidden');
    expect(await chat.type('/animate something forbidden', photo)).toMatch(/does not allow/);

    await chat.type('/animate', photo);
    expect(await chat.type('a forbidden answer')).toMatch(/does not allow/);
    expect(chat.state.generated).toEqual([]);

    await chat.type('a fine answer');
    expect(chat.state.generated).toHaveLength(1);
  });

  test.each([
    { what: '4,000 ligatures', text: 'ﬀ'.repeat(4000), answer: /prompt.*4000/ },
    { what: '1,000 characters that stand for 18,000', text: 'ﷺ'.repeat(1000), answer: /prompt.*6000/ },
    { what: '1,001 letters', text: 'f'.repeat(1001), answer: /prompt.*1001/ },
  ])(
    'a text that is too long is refused before pause and blocked words are checked: $what',
    async ({ text, answer }) => {
      chat.state.bannedWords.push(text.slice(0, 1));
      chat.state.paused = { reason: 'back at noon' };
      expect(await chat.type(`/faceswap gender=male prompt=${text}`, photo)).toMatch(answer);
      expect(chat.state.generated).toEqual([]);

      chat.state.paused = undefined;
      await chat.type('/animate', photo);
      expect(await chat.type(text)).toMatch(answer);
      expect(chat.state.generated).toEqual([]);
    },
  );

  test.each(['한', 'ế', 'ᾂ', '👩', 'ß'])(
    '1,000 times the letter %s are not too long for a text',
    async (letter) => {
      await chat.type(`/faceswap prompt="${letter.repeat(1000)}"`, photo);

      expect(chat.state.generated).toHaveLength(1);
    },
  );

  test('consent is asked for once, and the command then continues', async () => {
    chat.state.consented.clear();
    expect(await chat.type('/faceswap 12 male', photo)).toMatch(/agreed/);
    expect(chat.state.generated).toEqual([]);

    await chat.choose('I confirm, continue');
    expect(chat.state.generated).toMatchObject([
      { request: { kind: 'face-swap-v6', photo }, event: 'event-1' },
    ]);

    await chat.type('/faceswap 12 male', photo);
    expect(chat.state.generated).toHaveLength(2);
  });

  test('the consent button of another wording asks again', async () => {
    chat.state.consented.clear();
    await chat.type('/faceswap 12 male', photo);
    expect(await chat.press('consent:draft-1:99')).toMatch(/agreed/);
    expect(chat.state.generated).toEqual([]);

    await chat.choose('I confirm, continue');
    expect(chat.state.generated).toHaveLength(1);
  });

  test('a moderator’s question is for that moderator only, and names the subcommand', async () => {
    chat.state.moderators.add('web:ann');
    expect(await chat.type('/settings credits')).toMatch(/^\/settings credits: one more thing/);
    expect(chat.last).toMatchObject({ kind: 'ask', audience: 'caller-in-place' });

    await chat.type('/faceswap 12');
    expect(chat.last).toMatchObject({ audience: 'everyone' });
  });

  test('consent is not asked for an invalid command', async () => {
    chat.state.consented.clear();
    expect(await chat.type('/faceswap 12 prompt="a knight"', photo)).toMatch(/either "filter" or "prompt"/);
    expect(await chat.type('/faceswap zzzz male', photo)).not.toMatch(/agreed/);
    // Missing options are asked for before the confirmation, so that there is something to confirm.
    expect(await chat.type('/faceswap 12', photo)).toMatch(/gender/);
    expect(await chat.choose('male')).toMatch(/agreed/);
    expect(chat.state.generated).toEqual([]);

    await chat.choose('I confirm, continue');
    expect(chat.state.generated).toMatchObject([{ request: { kind: 'face-swap-v6', gender: 'male' } }]);
  });
});

describe('what goes wrong', () => {
  test('errors of this program are logged, and reported without details', async () => {
    chat.state.newJobs = {
      make: async () => {
        throw new Error('token 123 leaked');
      },
    };

    const said = await chat.type('/faceswap 12 male', photo);

    expect(said).toMatch(/went wrong on our side/);
    expect(said).not.toMatch(/123/);
    expect(chat.state.errors).toHaveLength(1);
  });

  test('a command is new at its first try alone, because a connection that was lost may have left a job', async () => {
    chat.state.retry = (work) => work().catch(work);
    chat.state.newJobs = {
      begun: async () => madeJob,
      make: () => Promise.reject(new Error('lost')),
    };
    const typed = { caller: ann, place: room, text: '/faceswap 12 male', photos: [photo] };

    expect(await chat.desk.text({ ...typed, event: 'first', isNew: true })).toEqual(madeJob);
  });

  test('only the ports that a command reads are created', async () => {
    await chat.type('/usage');
    expect([...chat.state.portsRead].sort()).toEqual(['isModerator', 'usage']);

    chat.state.portsRead.clear();
    await chat.type('/faceswap 12 male', photo);
    expect([...chat.state.portsRead].sort()).toEqual(['faceCheck', 'newJobs', 'privacy', 'reference']);
  });

  test('a port that cannot be created does not break the desk', async () => {
    Object.defineProperty(chat.state, 'ports', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(await chat.type('/usage')).toMatch(/our side/);
    expect(await chat.press('show:job-1')).toMatch(/our side/);
  });

  test('unknown commands and subcommands are explained', async () => {
    expect(await chat.command('faceswp', {})).toMatch(/\/faceswap/);

    chat.state.moderators.add('web:ann');
    expect(await chat.command('alias', {}, 'toString')).toMatch(/create, list/);
    expect(await chat.command('alias', {})).toMatch(/create, list/);
  });

  test('a blocked person learns what is wrong with a command that is open to them, and nothing of others', async () => {
    chat.state.blocked.add('web:ann');
    expect(await chat.command('privacy', { nonsense: 'x' })).toMatch(/no option "nonsense"/);
    expect(await chat.command('animate', { nonsense: 'x' })).not.toMatch(/nonsense/);
  });

  test('in a group, an unknown command is answered only if it is addressed to the bot', async () => {
    await chat.type('/weather Berlin');
    expect(chat.last).toBeUndefined();
    expect(await chat.type('/weather@darkroom_bot Berlin')).toMatch(/no command \/weather/);
    expect(await chat.type('/faceswp')).toMatch(/\/faceswap/);
    expect(await chat.as(ann, direct).type('/weather')).toMatch(/no command/);
  });
});

describe('drafts', () => {
  test('a form answers several questions at once, and one that is missing or foreign is refused', async () => {
    await chat.type('/faceswap', photo);
    expect(chat.last).toMatchObject({
      kind: 'ask',
      questions: [
        { option: 'filter', kind: 'reference' },
        { option: 'gender', kind: 'choice', choices: [{ value: 'male' }, {}, {}, {}, {}] },
      ],
    });

    const answers = { filter: 'Noir', gender: 'girl', nonsense: 'x' };
    const answer = (caller: typeof ann, draft: string) =>
      chat.desk.answer({ event: 'form', caller, place: room, draft, answers });

    expect(textOf(await answer(bob, 'draft-1'))).toMatch(/someone else/);
    expect(textOf(await answer(ann, 'draft-9'))).toMatch(/no longer/);
    expect((await answer(ann, 'draft-1')).kind).toBe('card');
    expect(chat.state.generated[0]?.request).toMatchObject({ filter: { id: 7 }, gender: 'girl' });
  });

  test('an answer to a question whose job was made gets that job, whatever has changed', async () => {
    await chat.type('/faceswap male', photo);
    chat.state.newJobs = { begun: async () => madeJob };
    chat.state.paused = { reason: '' };
    const answer = { event: 'second', isNew: true, caller: ann, place: room, text: '12', photos: [] };

    expect(await chat.desk.text(answer)).toMatchObject(madeJob);
  });

  test('a question with a long list of choices is paged', async () => {
    chat.state.references = Array.from({ length: 20 }, (_, index) => ({
      value: `${index + 1}`,
      label: `F${index + 1}`,
    }));
    expect(await chat.type('/faceswap male', photo)).toMatch(/Page 1 of 3/);
    expect(await chat.choose('▶')).toMatch(/Page 2 of 3/);
    expect(chat.last).toMatchObject({ kind: 'ask', replaces: true });
    expect(labelsOf(chat.last)).toContain('F9');
    expect(await chat.choose('◀')).toMatch(/Page 1 of 3/);
    expect(await chat.press('page:draft-1:9999')).toMatch(/Page 3 of 3/);
    expect(await chat.press('page:draft-1:-7')).toMatch(/Page 1 of 3/);
  });

  test('an invalid answer leaves its question open', async () => {
    await chat.type(`/faceswap ${uuid}`, photo);
    expect(await chat.choose('group')).toMatch(/catalog filters only/);
    expect(chat.last).toMatchObject({ kind: 'message' });
    expect(chat.last).not.toHaveProperty('replaces');

    await chat.press('pick:draft-1:gender:girl');
    expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
  });

  test('an answer counts only from the person asked, in the same place', async () => {
    await chat.type('/animate', photo);
    await chat.as(bob).type('waves');
    await chat.as(ann, direct).type('waves');

    expect(chat.state.generated).toEqual([]);

    await chat.type('waves');
    expect(chat.state.generated).toMatchObject([{ request: { prompt: 'waves' } }]);

    await chat.type('just talking');
    expect(chat.last).toBeUndefined();
  });

  test('a command goes on in the place where it began, even if its button is pressed elsewhere', async () => {
    await chat.type('/faceswap', photo);
    await chat.as(ann, direct).press('pick:draft-1:filter:12');
    expect(chat.state.generated).toEqual([]);

    await chat.as(ann, direct).type('female');
    expect(chat.state.generated).toEqual([]);

    await chat.type('female');
    expect(chat.state.generated).toMatchObject([{ request: { filter: { id: 12 }, gender: 'female' } }]);
  });

  test('a question that was stored while its person deleted their data is taken back', async () => {
    chat.state.isErasedMeanwhile = true;
    await chat.type('/animate', photo);
    expect(chat.last).not.toMatchObject({ kind: 'ask' });

    chat.state.isErasedMeanwhile = false;
    await chat.type('waves');
    expect(chat.last).toBeUndefined();
    expect(chat.state.generated).toEqual([]);
  });

  test('a choice can be typed, and other text in a group is ignored', async () => {
    await chat.type('/faceswap 12', photo);
    await chat.type('good morning');
    expect(chat.last).toBeUndefined();

    await chat.type('Female');
    expect(chat.state.generated).toMatchObject([{ request: { gender: 'female' } }]);
  });

  test('text that is no choice is answered in a direct chat with what can be chosen', async () => {
    chat = createFakeChat(ann, direct);

    await chat.type('/faceswap 12', photo);

    expect(await chat.type('good morning')).toMatch(/male, female, boy/);
  });

  test.each([
    { what: 'by a button in a direct chat', place: direct, how: 'choose' },
    { what: 'in writing in a direct chat', place: direct, how: 'type' },
    { what: 'in writing in a group', place: room, how: 'type' },
  ] as const)('the gender is asked and answered in the person’s language, $what', async ({ place, how }) => {
    chat = createFakeChat(ann, place, 'de');

    await chat.type('/faceswap 12', photo);
    expect(labelsOf(chat.last)).toEqual(['Mann', 'Frau', 'Junge', 'Mädchen', 'Gruppe']);
    await chat[how]('Frau');

    expect(chat.state.generated[0]?.request).toMatchObject({ gender: 'female' });
  });

  test('a link answers the question for a photo, other text does not', async () => {
    chat = createFakeChat(ann, direct);
    await chat.type('/animate waves');
    expect(await chat.type('which photo?')).toMatch(/Send the photo/);

    await chat.type('https://example.com/sea.jpg');
    expect(chat.state.generated[0]?.request).toMatchObject({
      photo: { from: 'link', url: 'https://example.com/sea.jpg' },
    });
  });
});

describe('a bare photo', () => {
  test('in a direct chat the bot asks what to do with a bare photo', async () => {
    chat = createFakeChat(ann, direct);
    expect(await chat.type('', photo)).toMatch(
      /What should I do[\s\S]*\/animate Turn a photo into a short video/,
    );

    const offered = labelsOf(chat.last);
    expect(offered).toContain('/animate');
    // Every command that makes something of a photo is offered, in the order of /help, and no other.
    expect(offered).toEqual(commands.filter(({ generates }) => generates).map(({ name }) => `/${name}`));
    expect(await chat.choose('/animate')).toMatch(/What should happen/);

    await chat.choose('A slow cinematic zoom in');
    expect(chat.state.generated[0]?.request).toMatchObject({ photo, prompt: 'A slow cinematic zoom in' });
  });

  test('the caption of a bare photo is read like the text after the command, and an album is its photos', async () => {
    chat = createFakeChat(ann, direct);
    await chat.type('12 female', photo);
    await chat.choose('/faceswap');
    await chat.type('day turns into night', photo, photo2);
    await chat.choose('/transition');

    expect(chat.state.generated.map(({ request }) => request)).toMatchObject([
      { kind: 'face-swap-v6', photo, filter: { id: 12 }, gender: 'female' },
      { kind: 'first-last-frame-video', first: photo, last: photo2, prompt: 'day turns into night' },
    ]);

    await chat.type('12 gendr=female', photo);
    expect(await chat.choose('/faceswap')).toMatch(/no option "gendr"/);
    expect(chat.state.generated).toHaveLength(2);
  });

  test('in a group the bot does not react to a bare photo', async () => {
    await chat.type('look at this', photo);
    expect(chat.last).toBeUndefined();
  });
});

test('filters and names of commands are completed, and nothing else', async () => {
  const complete = async (command: string, option: string, typed: string, locale = 'en') => {
    const asked = { caller: { ...ann, locale }, place: room, command, option, typed };
    return (await chat.desk.complete(asked, 25)).map(({ value, label }) => `${value} ${label}`);
  };

  expect(await complete('faceswap', 'filter', 'travl')).toEqual(['3 3 · Travel Poster']);
  expect(await complete('groupswap', 'style', 'noir')).toEqual(['7 7 · Noir']);

  const described = `faceswap /faceswap · ${faceswap.description.de}`;
  expect(await complete('help', 'command', 'facesw', 'de')).toEqual([described]);
  expect(await complete('animate', 'prompt', 'x')).toEqual([]);
  expect(await complete('nonsense', 'x', 'x')).toEqual([]);
  expect(await complete('alias', 'name', 'x')).toEqual([]);
  expect(await complete('faceswap', 'constructor', 'x')).toEqual([]);
});

test('a filter’s name of several words is recognised although the lists were never loaded before', async () => {
  const { references } = chat.state;

  chat.state.references = [];
  chat.state.warm = () => {
    chat.state.references = references;
  };
  await chat.type('/faceswap pop art male', photo);

  expect(chat.state.generated).toMatchObject([{ request: { kind: 'face-swap-v6' } }]);
});

test('a new name is asked for as text, not as a choice', async () => {
  chat.state.moderators.add('web:ann');
  expect(await chat.type('/alias create')).toMatch(/New name.*Send it as your next message/s);
});

test('answers are timed, also those that break, and typed text is answered with a sign that the bot is there', async () => {
  chat.state.ports = {
    isModerator: async () => {
      throw new Error('breaks');
    },
  };
  await chat.type('/settings show');
  await chat.command('help', {});
  await chat.press('cancel:job-1');

  expect(chat.state.errors).toHaveLength(1);

  // Times and notices are noted once the answer is on its way.
  await new Promise<void>(afterAnswersAreSent);
  expect(chat.state.timed).toEqual(['web', 'web', 'web']);
  expect(chat.state.noticed).toEqual([room.community, room.community]);
});

test('a written answer names its question, so that the question’s message can be removed', async () => {
  chat.state.bannedWords.push('forbidden');
  await chat.type('/animate', photo);
  expect(chat.last).toMatchObject({ kind: 'ask', draft: 'draft-1' });

  await chat.type('a forbidden answer');
  expect(chat.last).not.toHaveProperty('answers');

  await chat.type('waves');
  expect(chat.last).toMatchObject({ kind: 'card', answers: 'draft-1' });
});

test('a late photo names the question that it answers, and so does the next question of the draft', async () => {
  chat = createFakeChat(undefined, direct);
  await chat.type('/faceswap 12');
  expect(chat.last).toMatchObject({ kind: 'ask', draft: 'draft-1' });

  await chat.type('hello?');
  expect(chat.last).toMatchObject({ kind: 'ask', answers: 'draft-1' });

  await chat.type('', photo);
  expect(chat.last).toMatchObject({ kind: 'ask', answers: 'draft-1' });

  await chat.press(buttonsOf(chat.last)[0]?.action ?? '');
  expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
  expect(chat.last).not.toHaveProperty('answers');
});

test.each([
  // A language that the platform tells comes before that of the community.
  { locale: 'fr', language: 'de', expected: 'fr' },
  { locale: 'pt-BR', language: 'de', expected: 'pt' },
  { locale: 'en-GB', language: 'de', expected: 'en' },
  // Where the platform tells none, or one that Darkroom does not have, the community's is used.
  { locale: '', language: 'de', expected: 'de' },
  { locale: 'ja', language: 'de', expected: 'de' },
  { locale: '', language: 'automatic', expected: 'en' },
  { locale: '', language: undefined, expected: 'en' },
  { locale: 'ja', language: undefined, expected: 'en' },
  // A later version may have stored a language that this one does not have.
  { locale: '', language: 'tlh', expected: 'en' },
])(
  'a person of "$locale" in a community of "$language" is answered in $expected',
  async ({ locale, language, expected }) => {
    chat.state.settings = { blocked: [], bannedWords: [], ...(language === undefined ? {} : { language }) };
    const caller = { ...ann, locale };
    const { usage, error, press } = wordsFor(expected);

    expect(await chat.as(caller).type('/usage')).toContain(usage.title);
    expect(await chat.as(caller).command('animate', { photo, prompt: '' })).toContain(
      error.empty('prompt', 1),
    );
    expect(await chat.as(caller).press('again:unknown')).toContain(press.notFound);
    expect((await chat.desk.inLanguage({ caller, place: room })).caller.locale.slice(0, 2)).toBe(expected);
  },
);

test('an adapter that has asked for the language of an event spares the desk to ask again', async () => {
  const settings = { ...chat.state.settings };
  let reads = 0;
  Object.defineProperty(chat.state, 'settings', {
    get: () => {
      reads += 1;
      return settings;
    },
  });
  const caller = { ...ann, locale: 'ja' };

  const spoken = await chat.desk.inLanguage({
    event: 'event',
    caller,
    place: room,
    text: '/help',
    photos: [],
  });
  expect(reads).toBe(1);

  await chat.desk.text(spoken);
  expect(reads).toBe(1);
});

test('people are answered in English while the settings cannot be read', async () => {
  Object.defineProperty(chat.state, 'settings', {
    get: () => {
      throw new Error('the store is away');
    },
  });
  expect(await chat.as({ ...ann, locale: '' }).type('/usage')).toContain(wordsFor('en').usage.title);
});

test('the desk does not choose between two people with one name, and takes no display name for a user name', () => {
  const people = createKnownUsers();
  const place = { platform: 'telegram', community: 'telegram:-1', channel: '-1', direct: false } as const;
  const met = [
    { id: '1', name: 'Ann' },
    { id: '2', name: 'ANN' },
    { id: '1', name: 'Ann' },
    { id: '3', name: 'Bob' },
    { id: 'cid', name: 'Cid' },
    { id: '4', name: '@Dan' },
  ];

  for (const { id, name } of met) people.noticed({ platform: 'telegram', id, name, locale: 'en' }, place);

  expect(people.find('ann', place)).toBeUndefined();
  expect(people.find('bob', place)).toBe('3');
  expect(people.find('@bob', place)).toBeUndefined();
  expect(people.find('@Cid', place)).toBe('cid');
  expect(people.find('@dan', place)).toBeUndefined();
  expect(people.find('2', place)).toBe('2');
  expect(people.find('channel:-100777', place)).toBe('channel:-100777');
});
