import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { de } from '../../../src/words/de/words.ts';
import {
  alice,
  bob,
  buttonsOf,
  createFakeChat,
  direct,
  type FakeChat,
  type FakeState,
  photo,
  photo2,
  room,
  textOf,
  uuid,
} from '../../fakes/call.ts';

describe('permissions and community rules', () => {
  test('a pause stops only generating commands, with its reason', async () => {
    const chat = createFakeChat();
    chat.state.paused = { reason: 'back at noon' };
    expect(await chat.type('/animate waves', photo)).toMatch(/paused.*back at noon/);
    expect(await chat.type('/usage')).toMatch(/Credits today/);
    expect(chat.state.generated).toEqual([]);
  });

  test('generating commands are refused in other channels than those that were chosen', async () => {
    const chat = createFakeChat();
    chat.state.channels = [
      { ...room, channel: 'studio' },
      { ...room, channel: 'art' },
    ];
    expect(await chat.type('/animate waves', photo)).toMatch(/made here: .*\nGo to: studio art/);
    chat.state.channels = [];
    expect(await chat.type('/animate waves', photo)).not.toMatch(/Go to/);
    expect(await chat.type('/usage')).toMatch(/Credits today/);
    expect(chat.state.generated).toEqual([]);
  });

  test.each([
    ['a pause', 'paused', (state: FakeState) => Object.assign(state, { paused: { reason: '' } })],
    ['another channel', 'made here', (state: FakeState) => Object.assign(state, { channels: [] })],
    ['a block', 'blocked you', (state: FakeState) => void state.blocked.add('web:alice')],
    ['no approval', 'approved', (state: FakeState) => void state.unapproved.add('web:room')],
    ['a word', 'does not allow', (state: FakeState) => void state.bannedWords.push('waves')],
  ])('%s refuses a command before it is run', async (_, text, change) => {
    const { desk, state } = createFakeChat();
    const asked = { event: 'e', caller: alice, place: room, command: 'animate', given: { prompt: 'waves' } };
    expect(await desk.refusal(asked)).toBeUndefined();
    change(state);
    expect(textOf(await desk.refusal(asked))).toContain(text);
    expect(state.generated).toEqual([]);
  });

  test('blocked words are refused in every text, also in one that is asked for', async () => {
    const chat = createFakeChat();
    chat.state.bannedWords.push('forbidden');
    expect(await chat.type('/animate something forbidden', photo)).toMatch(/does not allow/);
    await chat.type('/animate', photo);
    expect(await chat.type('a forbidden answer')).toMatch(/does not allow/);
    expect(chat.state.generated).toEqual([]);
    await chat.type('a fine answer');
    expect(chat.state.generated).toHaveLength(1);
  });

  test.each([
    ['4,000 ligatures', 'ﬀ'.repeat(4000), /prompt.*4000/],
    ['1,000 characters that stand for 18,000', 'ﷺ'.repeat(1000), /prompt.*6000/],
    ['1,001 letters', 'f'.repeat(1001), /prompt.*1001/],
  ])(
    'a text that is too long is refused before pause and blocked words are checked: %s',
    async (_what, text, answer) => {
      const chat = createFakeChat();
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

  test('1,000 letters of any language are not too long', async () => {
    for (const letter of ['한', 'ế', 'ᾂ', '👩', 'ß']) {
      const chat = createFakeChat();
      await chat.type(`/faceswap prompt="${letter.repeat(1000)}"`, photo);
      expect(chat.state.generated, letter).toHaveLength(1);
    }
  });

  test('consent is asked once, and the command then continues', async () => {
    const chat = createFakeChat();
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

  test.each([
    ['/animate aspect=16:9', /needs model performance/],
    ['/animate model=simple duration=8s', /4s videos only/],
    ['/faceswap quality=v6 engine=v5', /engine v6 only/],
    ['/faceswap 12 prompt="a knight"', /either "filter" or "prompt"/],
    ['/groupswap look=classic outpaint=yes', /"outpaint" works with/],
    ['/faceswap 99999', /no filter 99999/],
  ])('invalid options are refused before a photo is asked for: %s', async (line, rule) => {
    const chat = createFakeChat();
    expect(await chat.type(line)).toMatch(rule);
    expect(await chat.type('/faceswap 12')).toMatch(/Send the photo/);
  });

  test('a moderator’s question is for that moderator only, and names the subcommand', async () => {
    const chat = createFakeChat();
    chat.state.moderators.add('web:alice');
    expect(await chat.type('/settings credits')).toMatch(/^\/settings credits: one more thing/);
    expect(chat.last).toMatchObject({ kind: 'ask', quiet: true });
    await chat.type('/faceswap 12');
    expect(chat.last).not.toHaveProperty('quiet');
  });

  test('consent is not asked for an invalid command', async () => {
    const chat = createFakeChat();
    chat.state.consented.clear();
    expect(await chat.type('/faceswap 12 prompt="a knight"', photo)).toMatch(/either "filter" or "prompt"/);
    expect(await chat.type('/faceswap zzzz male', photo)).not.toMatch(/agreed/);
    // What is missing is asked for first, too: then there is something to confirm.
    expect(await chat.type('/faceswap 12', photo)).toMatch(/gender/);
    expect(await chat.choose('male')).toMatch(/agreed/);
    expect(chat.state.generated).toEqual([]);
    await chat.choose('I confirm, continue');
    expect(chat.state.generated).toMatchObject([{ request: { kind: 'face-swap-v6', gender: 'male' } }]);
  });
});

describe('what goes wrong', () => {
  test('our own errors are logged, and reported without details', async () => {
    const chat = createFakeChat();
    chat.state.ports = {
      generate: async () => {
        throw new Error('token 123 leaked');
      },
    };
    const said = await chat.type('/faceswap 12 male', photo);
    expect(said).toMatch(/went wrong on our side/);
    expect(said).not.toMatch(/123/);
    expect(chat.state.errors).toHaveLength(1);
  });

  test('a port that cannot be created does not break the desk', async () => {
    const chat = createFakeChat();
    Object.defineProperty(chat.state, 'ports', {
      get: () => {
        throw new Error('no');
      },
    });
    expect(await chat.type('/usage')).toMatch(/our side/);
    expect(await chat.press('show:job-1')).toMatch(/our side/);
  });

  test('unknown commands and subcommands are explained', async () => {
    const chat = createFakeChat();
    expect(await chat.command('faceswp', {})).toMatch(/\/faceswap/);
    chat.state.moderators.add('web:alice');
    expect(await chat.command('alias', {}, 'toString')).toMatch(/create, list/);
    expect(await chat.command('alias', {})).toMatch(/create, list/);
  });

  test('in a group, an unknown command is answered only if it is addressed to the bot', async () => {
    const chat = createFakeChat();
    await chat.type('/weather Berlin');
    expect(chat.last).toBeUndefined();
    expect(await chat.type('/weather@darkroom_bot Berlin')).toMatch(/no command \/weather/);
    expect(await chat.type('/faceswp')).toMatch(/\/faceswap/);
    expect(await chat.as(alice, direct).type('/weather')).toMatch(/no command/);
  });
});

describe('drafts', () => {
  test('a form answers several questions at once', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap', photo);
    expect(chat.last).toMatchObject({
      kind: 'ask',
      questions: [
        { option: 'filter', kind: 'reference' },
        { option: 'gender', kind: 'choice', choices: [{ value: 'male' }, {}, {}, {}, {}] },
      ],
    });
    const reply = await chat.desk.answer({
      event: 'form',
      caller: alice,
      place: room,
      draft: 'draft-1',
      answers: { filter: 'Noir', gender: 'girl', nonsense: 'x' },
    });
    expect(reply.kind).toBe('card');
    expect(chat.state.generated[0]?.request).toMatchObject({ filter: { id: 7 }, gender: 'girl' });
  });

  test('answers to a missing or foreign draft are refused with a message', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap', photo);
    const answer = (caller: typeof alice, draft: string) =>
      chat.desk.answer({ event: 'x', caller, place: room, draft, answers: {} });
    expect(await answer(bob, 'draft-1')).toMatchObject({
      view: { lines: [expect.stringMatching(/someone else/)] },
    });
    expect(await answer(alice, 'draft-9')).toMatchObject({
      view: { lines: [expect.stringMatching(/no longer/)] },
    });
  });

  test('long lists are paged', async () => {
    const chat = createFakeChat();
    chat.state.references = Array.from({ length: 20 }, (_, index) => ({
      value: `${index + 1}`,
      label: `F${index + 1}`,
    }));
    expect(await chat.type('/faceswap male', photo)).toMatch(/Page 1 of 3/);
    expect(await chat.choose('▶')).toMatch(/Page 2 of 3/);
    expect(chat.last).toMatchObject({ kind: 'ask', replaces: true });
    expect(buttonsOf(chat.last).map(({ label }) => label)).toContain('F9');
    expect(await chat.choose('◀')).toMatch(/Page 1 of 3/);
    expect(await chat.press('page:draft-1:9999')).toMatch(/Page 3 of 3/);
    expect(await chat.press('page:draft-1:-7')).toMatch(/Page 1 of 3/);
  });

  test('an invalid answer leaves the question open', async () => {
    const chat = createFakeChat();
    await chat.type(`/faceswap ${uuid}`, photo);
    expect(await chat.choose('group')).toMatch(/catalog filters only/);
    expect(chat.last).toMatchObject({ kind: 'message' });
    expect(chat.last).not.toHaveProperty('replaces');
    await chat.press('pick:draft-1:gender:girl');
    expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
  });

  test('an answer counts only from the person asked, in the same place', async () => {
    const chat = createFakeChat();
    await chat.type('/animate', photo);
    await chat.as(bob).type('waves');
    await chat.as(alice, direct).type('waves');
    expect(chat.state.generated).toEqual([]);
    await chat.type('waves');
    expect(chat.state.generated).toMatchObject([{ request: { prompt: 'waves' } }]);
    await chat.type('just talking');
    expect(chat.last).toBeUndefined();
  });

  test('a choice can be typed; other text in a group is ignored', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap 12', photo);
    await chat.type('good morning');
    expect(chat.last).toBeUndefined();
    await chat.type('Female');
    expect(chat.state.generated).toMatchObject([{ request: { gender: 'female' } }]);
    const alone = createFakeChat(alice, direct);
    await alone.type('/faceswap 12', photo);
    expect(await alone.type('good morning')).toMatch(/male, female, boy/);
  });

  test('the gender is asked and answered in the person’s language, by button or in writing', async () => {
    for (const answer of [(chat: FakeChat) => chat.choose('Frau'), (chat: FakeChat) => chat.type('frau')]) {
      const chat = createFakeChat(alice, direct, 'de');
      await chat.type('/faceswap 12', photo);
      expect(buttonsOf(chat.last).map(({ label }) => label)).toEqual([
        'Mann',
        'Frau',
        'Junge',
        'Mädchen',
        'Gruppe',
      ]);
      await answer(chat);
      expect(chat.state.generated[0]?.request).toMatchObject({ gender: 'female' });
    }
  });

  test('a link answers the question for a photo, other text does not', async () => {
    const chat = createFakeChat(alice, direct);
    await chat.type('/animate waves');
    expect(await chat.type('which photo?')).toMatch(/Send the photo/);
    await chat.type('https://example.com/sea.jpg');
    expect(chat.state.generated[0]?.request).toMatchObject({
      photo: { from: 'link', url: 'https://example.com/sea.jpg' },
    });
  });
});

describe('a bare photo', () => {
  test('in a direct chat the bot asks what to do with it', async () => {
    const chat = createFakeChat(alice, direct);
    expect(await chat.type('', photo)).toMatch(
      /What should I do[\s\S]*\/animate Turn a photo into a short video/,
    );
    const offered = buttonsOf(chat.last).map(({ label }) => label);
    expect(offered).toContain('/animate');
    // Whatever makes something of a photo, in the order of /help, and nothing else.
    expect(offered).toEqual(commands.filter(({ generates }) => generates).map(({ name }) => `/${name}`));
    expect(await chat.choose('/animate')).toMatch(/What should happen/);
    await chat.choose('A slow cinematic zoom in');
    expect(chat.state.generated[0]?.request).toMatchObject({ photo, prompt: 'A slow cinematic zoom in' });
  });

  test('its caption becomes the text, an album its photos', async () => {
    const chat = createFakeChat(alice, direct);
    await chat.type('day turns into night', photo, photo2);
    await chat.choose('/transition');
    expect(chat.state.generated[0]?.request).toMatchObject({
      kind: 'first-last-frame-video',
      first: photo,
      last: photo2,
      prompt: 'day turns into night',
    });
  });

  test('its caption is read like the text after the command', async () => {
    const chat = createFakeChat(alice, direct);
    await chat.type('12 female', photo);
    await chat.choose('/faceswap');
    await chat.type('pop art girl', photo);
    await chat.choose('/faceswap');
    expect(chat.state.generated.map(({ request }) => request)).toMatchObject([
      { kind: 'face-swap-v6', photo, filter: { id: 12 }, gender: 'female' },
      { kind: 'face-swap-v6', photo, filter: { id: 12 }, gender: 'girl' },
    ]);
    await chat.type('12 gendr=female', photo);
    expect(await chat.choose('/faceswap')).toMatch(/no option "gendr"/);
    expect(chat.state.generated).toHaveLength(2);
  });

  test('in a group the bot does not react', async () => {
    const chat = createFakeChat();
    await chat.type('look at this', photo);
    expect(chat.last).toBeUndefined();
  });
});

describe('completion', () => {
  const complete = async (
    chat: ReturnType<typeof createFakeChat>,
    command: string,
    option: string,
    typed: string,
  ) =>
    (await chat.desk.complete({ caller: alice, place: room, command, option, typed }, 25)).map(
      ({ value }) => value,
    );

  test('filters by number, by name and by misspelt name', async () => {
    const chat = createFakeChat();
    expect(await complete(chat, 'faceswap', 'filter', '12')).toEqual(['12']);
    expect(await complete(chat, 'faceswap', 'filter', 'travl')).toEqual(['3']);
    expect(await complete(chat, 'faceswap', 'filter', '')).toEqual(['3', '7', '12']);
    expect(await complete(chat, 'groupswap', 'style', 'noir')).toEqual(['7']);
  });

  test('command names, and nothing for what cannot be completed', async () => {
    const chat = createFakeChat();
    expect(await complete(chat, 'help', 'command', 'facesw')).toEqual(['faceswap']);
    const german = { ...alice, locale: 'de' };
    const asked = { caller: german, place: room, command: 'help', option: 'command', typed: 'facesw' };
    expect(await chat.desk.complete(asked, 25)).toEqual([
      { value: 'faceswap', label: `/faceswap · ${de.descriptions.faceswap}` },
    ]);
    expect(await complete(chat, 'animate', 'prompt', 'x')).toEqual([]);
    expect(await complete(chat, 'nonsense', 'x', 'x')).toEqual([]);
    expect(await complete(chat, 'alias', 'name', 'x')).toEqual([]);
    expect(await complete(chat, 'faceswap', 'constructor', 'x')).toEqual([]);
  });
});

test('a name of several words is recognised although the lists were never loaded before', async () => {
  const chat = createFakeChat();
  const { references } = chat.state;
  chat.state.references = [];
  chat.state.warm = () => {
    chat.state.references = references;
  };
  await chat.type('/faceswap pop art male', photo);
  expect(chat.state.generated).toMatchObject([{ request: { kind: 'face-swap-v6' } }]);
});

test('a new name is asked for as text, not as a choice', async () => {
  const chat = createFakeChat();
  chat.state.moderators.add('web:alice');
  expect(await chat.type('/alias create')).toMatch(/New name.*Send it as your next message/s);
});

test('answers are timed, also those that break; what people type shows that the bot is there', async () => {
  const chat = createFakeChat();
  chat.state.ports = {
    isModerator: async () => {
      throw new Error('breaks');
    },
  };
  await chat.type('/settings show');
  await chat.command('help', {});
  await chat.press('cancel:job-1');
  expect(chat.state.errors).toHaveLength(1);
  expect(chat.state.timed).toEqual(['web', 'web', 'web']);
  expect(chat.state.noticed).toEqual([room.community, room.community]);
});
