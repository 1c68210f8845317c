import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { JobState, JobSummary } from '../../../src/command/jobs-port.ts';
import { descriptionIn } from '../../../src/command/option.ts';
import type { PhotoRef } from '../../../src/command/photo.ts';
import type { Ports } from '../../../src/command/ports.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { filterKey } from '../../../src/command/request.ts';
import { en } from '../../../src/words/en/words.ts';
import { LANGUAGES } from '../../../src/words/language.ts';
import { languages } from '../../../src/words/words.ts';
import { ann, bob, buttonsOf, createFakeChat, direct, labelsOf, photo, room } from '../../fakes/call.ts';
import { requestOf } from '../../fakes/requests.ts';

const entries = Array.from({ length: 30 }, (_, index) => ({
  reference: `${index + 1}`,
  name: `Filter ${index + 1}`,
  model: 'group' as const,
  preview: 'https://example.com/p.png',
}));

const tilesIn = (reply: Reply | undefined) =>
  (reply !== undefined && 'view' in reply ? reply.view.tiles : undefined) ?? [];

const sheet: Ports['catalog']['sheet'] = async (_, alt) => ({
  kind: 'image',
  bytes: new Uint8Array(),
  type: 'image/jpeg',
  name: 'filters.jpg',
  as: 'inline',
  alt,
  width: 9,
  height: 9,
});

/** A catalog without any filters. */
const nothing: Ports['catalog'] = {
  list: async () => [],
  known: () => [],
  sheet: async () => undefined,
  order: async () => ({ recent: [], used: [] }),
};

type Catalog = Partial<Ports['catalog']>;

/** A chat whose service has these filters. */
const chatWith = (catalog: Catalog, where = room, locale = 'en') => {
  const chat = createFakeChat(ann, where, locale);
  chat.state.ports = { catalog: { ...nothing, sheet, ...catalog } };
  return chat;
};

const listing = { list: async () => entries };

const pressTile = (chat: ReturnType<typeof chatWith>, index = 11): Promise<string> =>
  chat.press(tilesIn(chat.last)[index]?.action ?? '');

const labels = (chat: ReturnType<typeof chatWith>) => tilesIn(chat.last).map(({ label }) => label);
const asksForPhoto = { kind: 'ask', questions: [{ option: 'photo' }] };

describe('/help', () => {
  test('every file of commands has its command in the list', () => {
    const folder = join(import.meta.dirname, '../../../commands');
    const files = globSync('*.ts', { cwd: folder }).filter((file) => file !== 'index.ts');
    const missing = files.filter((file) => !commands.some(({ name }) => `${name}.ts` === file));

    expect(missing.join(), 'in commands/ and not in the list of commands/index.ts').toBe('');
  });

  test('/help lists every command, and says which are for moderators', async () => {
    const said = await createFakeChat().type('/start');
    for (const { name } of commands) expect(said).toContain(`/${name} `);
    expect(said).toMatch(/For moderators[\s\S]*\/alias[\s\S]*\/settings/);
  });

  test.each(commands)('/help $name shows its form, options, choices and examples', async ({ name }) => {
    const command = commands.find((each) => each.name === name);
    const said = await createFakeChat().type(`/help ${name}`);
    expect(said).toContain(`/${name}`);
    for (const example of command?.examples ?? []) expect(said).toContain(example);

    const options = Object.values(command?.subcommands ?? { it: command?.action }).flatMap((action) =>
      Object.entries(action?.options ?? {}),
    );
    for (const [option, { description }] of options)
      expect(said).toContain(`${option} ${descriptionIn(description, en)}`);
  });

  test.each(LANGUAGES)('/help names the prices of what a command makes, in %s', async (locale) => {
    const { credits, help } = languages[locale];
    const chat = createFakeChat(ann, undefined, locale);
    const prices = new Map([
      ['faceswap', { least: 2, most: 2 }],
      ['animate', { least: 5, most: 40 }],
    ]);

    chat.state.ports = { price: (command) => prices.get(command) };
    const said = (await chat.type('/help'))?.split('\n') ?? [];
    const lineOf = (name: string) => said.find((line) => line.startsWith(`/${name} `));

    expect(lineOf('faceswap')).toMatch(new RegExp(`\\(${credits(2)}\\)$`));
    expect(lineOf('animate')).toMatch(new RegExp(`\\(5–${credits(40)}\\)$`));
    expect(lineOf('transition')).toMatch(/[^)]$/);
    expect(await chat.type('/help animate')).toContain(help.price(`5–${credits(40)}`));
    expect(await chat.type('/help transition')).not.toContain(help.price(''));
  });

  describe('with previews', () => {
    const recent = [filterKey('face', '12')];

    const chatWithFilters = () =>
      chatWith({ known: () => entries, order: async () => ({ recent, used: [] }) });

    test('/help with previews shows ten filters, the first and the newest, three things to try and all commands', async () => {
      const chat = chatWithFilters();
      const said = await chat.type('/help');
      expect(labels(chat)).toEqual(['12', '1', '2', '3', '4', '26', '27', '28', '29', '30']);
      expect(chat.last).toMatchObject({ view: { media: { kind: 'image' } } });
      expect(said).toMatch(/Three things to try:\n\/faceswap Put .*\n\/animate Turn .*\n\/filters Browse/);
      expect(said).toMatch(/More commands · .*\/privacy[\s\S]*For moderators · \/alias \/settings/);
      for (const { name } of commands) expect(said).toContain(`/${name}`);
    });

    test.each(LANGUAGES)('/help in %s fits below a picture of Telegram', async (locale) => {
      const chat = chatWith({ known: () => entries }, room, locale);
      chat.state.ports = { ...chat.state.ports, price: () => ({ least: 10_000, most: 20_000 }) };
      expect((await chat.type('/help')).length).toBeLessThan(1024);
    });

    test('a tile of /help begins /faceswap with the photo that came, and a button leads to all commands and back', async () => {
      const chat = chatWithFilters();
      await chat.type('/help');
      expect(await chat.choose('All commands')).toContain('/transition Make a short video');
      expect(tilesIn(chat.last)).toEqual([]);
      expect(await chat.choose('◀')).toMatch(/Three things to try/);
      await pressTile(chat, 0);
      expect(chat.last).toMatchObject(asksForPhoto);

      await chat.type('/help', photo);
      await pressTile(chat, 0);
      await chat.choose('female');
      expect(chat.state.generated).toMatchObject([{ request: { photo, filter: { id: 12 } } }]);
    });
  });

  test('/help shows the defaults of options', async () => {
    const said = await createFakeChat().type('/help animate');
    expect(said).toMatch(/one of simple, advanced, performance · default: advanced/);
    expect(said).toMatch(/one of yes, no · default: no/);
  });

  test('/help of a misspelt name names the nearest command', async () => {
    expect(await createFakeChat().type('/help /facswap')).toMatch(/Did you mean \/faceswap/);
  });
});

test('every subcommand has an example in /help', () => {
  const without = commands.flatMap(({ name, examples, subcommands = {} }) =>
    Object.keys(subcommands)
      .map((subcommand) => `/${name} ${subcommand}`)
      .filter((typed) => !examples.some((example) => example === typed || example.startsWith(`${typed} `))),
  );
  expect(without).toEqual([]);
});

/** A moderator's chat with everything that the examples of commands name: an alias, a member, and a saved face. */
const chatForExamples = async () => {
  const chat = createFakeChat();
  chat.state.moderators.add('web:ann');
  const times = { createdAt: undefined, updatedAt: undefined, history: [] };
  chat.state.aliases = [{ id: 'a', model: 'face', ...times, name: 'halloween' }];
  await chat.as({ ...bob, id: 'someone', name: 'someone' }).type('/usage');
  await chat.type('/face save me', photo);
  return chat;
};

/** The photos that a person sends with an example. */
const photosFor = (example: string): readonly PhotoRef[] => {
  if (example.includes('face=')) return [];
  return example.startsWith('/transition') ? [photo, photo] : [photo];
};

const examplesOf = (makes: boolean) =>
  commands.filter(({ generates }) => generates === makes).flatMap(({ examples }) => examples);

test('every command has an example', () => {
  const without = commands.filter(({ examples }) => examples.length === 0);

  expect(without.map(({ name }) => name)).toEqual([]);
});

test.each(examplesOf(true))(
  'the example %s works as it is typed, and makes a job or asks for more',
  async (example) => {
    const chat = await chatForExamples();

    const said = await chat.type(example, ...photosFor(example));

    expect(said).not.toMatch(/Usage:|our side/);
    expect(['card', 'ask']).toContain(chat.last?.kind);
  },
);

test.each(examplesOf(false))('the example %s works as it is typed, and makes no job', async (example) => {
  const chat = await chatForExamples();

  const said = await chat.type(example, ...photosFor(example));

  expect(said).not.toMatch(/Usage:|our side/);
  // A command without a kind of job asks for no consent, and Again could not repeat it.
  expect(chat.state.generated).toEqual([]);
});

describe('/filters', () => {
  test('/filters lists with numbers, searches, and says how to use a filter', async () => {
    const said = await createFakeChat().type('/filters');
    expect(said).toMatch(/12 Pop Art/);
    expect(said).toMatch(/\/faceswap 3/);
    expect(await createFakeChat().type('/filters search=noir')).not.toMatch(/Pop Art/);
    expect(await createFakeChat().type('/filters zzz')).toMatch(/Nothing matches "zzz"/);
  });

  test('/filters shows a custom filter by name, not by UUID, and with a letter where it has a preview', async () => {
    const own = entries.slice(0, 2).map((entry) => ({ ...entry, reference: randomUUID() }));
    const velvet = { reference: randomUUID(), name: 'Velvet Noir', model: 'face' as const };
    const listed = chatWith({ list: async () => [velvet] });

    expect(await listed.type('/filters mine')).toMatch(/for example \/faceswap Velvet Noir/);

    const chat = chatWith({ list: async () => own });
    await chat.type('/filters mine');
    expect(labels(chat)).toEqual(['A', 'B']);
    for (const { action } of tilesIn(chat.last)) expect(action.length).toBeLessThanOrEqual(64);
  });

  test('/filters shows pages of tiles with their sheet, and keeps the search', async () => {
    const searched: (string | undefined)[] = [];
    const chat = chatWith({
      async list(_catalog, search) {
        searched.push(search);
        return entries;
      },
    });
    expect(await chat.type('/filters realistic search=fil')).toMatch(/Press one[\s\S]*Page 1 of 2/);
    expect(labels(chat)).toEqual(Array.from({ length: 25 }, (_, index) => `${index + 1}`));
    expect(JSON.stringify(chat.last)).toMatch(/: 1 Filter 1, 2 Filter 2/);
    expect(await chat.choose('▶')).toMatch(/Page 2 of 2/);
    expect(labels(chat)).toContain('26');
    expect(labelsOf(chat.last)).toEqual(['◀']);
    expect(searched).toEqual(['fil', 'fil']);
  });

  test.each([
    { model: 'face', command: '/faceswap' },
    { model: 'stylized', command: '/groupswap' },
  ])(
    'a tile of /filters in the list $model begins its command, which asks for the photo',
    async ({ model, command }) => {
      const chat = chatWith(listing);

      await chat.type(`/filters ${model}`);
      await pressTile(chat);

      expect(chat.last).toMatchObject({ ...asksForPhoto, view: { title: expect.stringContaining(command) } });
    },
  );

  test('/filters begins with recent filters on its first page, unless something is searched for', async () => {
    const order = async () => ({ recent: ['realistic:30', 'face:4'], used: ['realistic:7'] });
    const chat = chatWith({ ...listing, order });
    expect(await chat.type('/filters realistic')).toContain(en.filters.recentFirst);
    expect(labels(chat).slice(0, 3)).toEqual(['30', '7', '1']);
    expect(await chat.choose('▶')).not.toContain(en.filters.recentFirst);
    expect(labels(chat)).not.toContain('30');
    expect(await chat.type('/filters realistic search=x')).not.toContain(en.filters.recentFirst);
    expect(labels(chat)[0]).toBe('1');
  });

  describe('a tile is used with the photo of the conversation', () => {
    test('a tile of /filters uses the photo that came with the command, also from another page', async () => {
      const chat = chatWith(listing);

      await chat.type('/filters', photo);
      await chat.choose('▶');
      await chat.choose('◀');
      await pressTile(chat);
      await chat.choose('female');

      expect(chat.state.generated).toMatchObject([{ request: { photo, filter: { id: 12 } } }]);
    });

    test('a tile of /filters uses the photo that was sent just before, unless something was made of it', async () => {
      const chat = chatWith(listing, direct);

      await chat.type('', photo);
      const [offer] = buttonsOf(chat.last);
      await chat.type('/filters stylized');
      await pressTile(chat);

      expect(chat.state.generated[0]?.request).toMatchObject({ kind: 'multi-swap-stylized', photo });

      await chat.press(offer?.action ?? '');
      const pick = buttonsOf(chat.last).find(({ action }) => action.endsWith(':filter:12'));
      await chat.press(pick?.action ?? '');
      await chat.choose('female');

      expect(chat.state.generated).toHaveLength(2);

      await chat.type('/filters stylized');
      await pressTile(chat);
      expect(chat.last).toMatchObject(asksForPhoto);
    });

    test('a tile of /filters uses no photo of somebody else, and none of another chat', async () => {
      const chat = chatWith(listing, direct);

      await chat.type('', photo);
      const other = chat.as(bob, { ...direct, community: 'web:dm:bob' });
      for (const each of [chat.as(ann, room), other]) {
        await each.type('/filters');
        await pressTile(each);
        expect(each.last).toMatchObject(asksForPhoto);
      }
    });
  });

  test('a forged press of a tile of /filters does nothing', async () => {
    const chat = chatWith(listing);
    await chat.type('/filters stylized', photo);
    const real = tilesIn(chat.last)[2]?.action;
    expect(real).toBe('use:draft-1:s:3');

    for (const forged of [
      'use:draft-1',
      'use:draft-1:s',
      'use:draft-1:x:3',
      'use:draft-1:stylized:3',
      `${real}:4`,
    ])
      await chat.press(forged);
    expect(chat.state.generated).toEqual([]);

    await chat.press(real ?? '');
    expect(chat.state.generated).toHaveLength(1);
  });
});

describe('/jobs', () => {
  const job = (id: string, state: JobState, owner = 'web:ann'): JobSummary => ({
    id,
    state,
    kind: 'face-swap-v6',
    label: 'Pop Art',
    credits: 2,
    owner,
    community: 'web:room',
    createdAt: Date.UTC(2026, 0, 5, 11, 58),
  });

  const request = requestOf('face-swap-v6');

  const chatOf = (...jobs: readonly JobSummary[]) => {
    const chat = createFakeChat();
    chat.state.jobs.push(...jobs.map((each) => ({ ...each, request })));
    return chat;
  };

  test('/jobs says so when there are no jobs', async () => {
    expect(await chatOf(job('a', 'done', 'web:bob')).type('/jobs')).toMatch(/no jobs yet/);
  });

  test.each([
    { ageMs: 45_000, said: '45 s ago' },
    { ageMs: 130_000, said: '2 min ago' },
    { ageMs: (5 * 60 + 59) * 60_000, said: '5 h ago' },
    { ageMs: 50 * 60 * 60_000, said: '2 days ago' },
  ])('/jobs rounds the age of a job of $ageMs ms: $said', async ({ ageMs, said }) => {
    const made = { ...job('a', 'done'), createdAt: Date.UTC(2026, 0, 5, 12) - ageMs };
    expect(await chatOf(made).type('/jobs')).toContain(` · ${said}`);
  });

  test('/jobs shows each job with its state, age and buttons', async () => {
    const chat = chatOf(job('a', 'running'), job('b', 'done'), job('c', 'failed'));
    expect(await chat.type('/jobs')).toMatch(/1 · Face swap · Pop Art · in progress · 2 credits · 2 min ago/);

    // Each button names its list, so that a press there is not taken for one on the card of the job.
    const actions = ['show:a', 'cancel:a', 'show:b', 'again:b', 'delete:b', 'show:c', 'retry:c'];
    expect(buttonsOf(chat.last).map(({ action }) => action)).toEqual(
      actions.map((action) => `${action}:draft-1.0`),
    );
  });

  test('Delete in an old list of /jobs deletes, and leaves the list as it is', async () => {
    const chat = chatOf(job('b', 'done'));
    expect(await chat.press('delete:b:forgotten.0')).toBe('removed b');
    expect(chat.last).toEqual({ kind: 'note', text: 'removed b' });
  });

  test('/jobs shows many jobs on pages of at most five rows', async () => {
    const chat = chatOf(...Array.from({ length: 9 }, (_, index) => job(`j${index}`, 'done')));
    await chat.type('/jobs');
    expect(chat.last).toMatchObject({ view: { buttons: { length: 5 } } });
    expect(await chat.choose('▶')).toMatch(/5 · Face swap/);
  });

  test('/jobs that only its caller sees has private jobs on every page, and one that everybody sees never gets any', async () => {
    const inTheOpen = Array.from({ length: 4 }, (_, index) => job(`j${index}`, 'done'));
    const hidden = { ...job('hidden', 'done'), label: 'Noir', private: true };
    const alone = chatOf(...inTheOpen, hidden);
    await alone.type('/jobs');
    expect(alone.last).toMatchObject({ audience: 'caller' });
    expect(await alone.choose('▶')).toMatch(/5 · Face swap · Noir/);

    const open = chatOf(...inTheOpen, job('j4', 'done'));
    await open.type('/jobs');
    open.state.jobs.push({ ...hidden, request });
    expect(await open.choose('▶')).not.toMatch(/Noir/);
  });
});

describe('/usage', () => {
  test('/usage shows credits used, reserved and left', async () => {
    const said = await createFakeChat().type('/usage');
    expect(said).toMatch(
      /used 12 of 100 credits[\s\S]*The owner’s default[\s\S]*3 more reserved[\s\S]*85 credits left[\s\S]*in 12 h/,
    );
    expect(said).not.toMatch(/community/);
  });

  test('/usage shows what was granted, and what is left of it', async () => {
    const chat = createFakeChat();
    chat.state.ports = {
      usage: {
        mine: async () => ({
          used: 5,
          reserved: 0,
          limit: 5,
          resetsAt: Date.UTC(2026, 0, 6),
          source: 'role',
          granted: { used: 4, left: 20 },
        }),
        community: async () => ({ used: 0, reserved: 0, people: 0, jobs: 0 }),
        month: async () => undefined,
      },
    };
    expect(await chat.type('/usage')).toMatch(
      /used 5 of 5[\s\S]*one of your roles[\s\S]*0 credits left[\s\S]*granted credits today: 4[\s\S]*20 credits granted to you/,
    );
  });

  test('/usage shows a moderator the community’s credits, too', async () => {
    const chat = createFakeChat();
    chat.state.moderators.add('web:ann');
    expect(await chat.type('/usage')).toMatch(/40 credits used by 4 people in 15 jobs[\s\S]*40 of the 1000/);
  });

  test('/usage shows an owner, and nobody else, what everybody used this month and what it costs', async () => {
    const chat = createFakeChat();
    chat.state.month = { used: 120, ceiling: 5_000, price: { amount: '0.04', currency: 'EUR' } };
    expect(await chat.type('/usage')).toMatch(
      /Everybody together this month: 120 of 5000 credits\.\nIn money: €4\.80\./,
    );
    expect(chat.last).toMatchObject({ audience: 'caller' });
  });
});

describe('/privacy', () => {
  test('/privacy says what is kept and who gets the photo, and deletes after a confirmation', async () => {
    const chat = createFakeChat();
    expect(await chat.type('/privacy')).toMatch(
      /generation service[\s\S]*credits you used each day, for 30 days/,
    );
    expect(await chat.choose('Delete all my data')).toMatch(/cannot be undone/);
    expect(await chat.choose('Yes, delete everything')).toMatch(/3 jobs .* deleted/);
    expect(chat.last?.kind).toBe('replace');
  });

  test('/privacy says that results are deleted too where the chat is stored here', async () => {
    const chat = createFakeChat();
    const eraseMe = async () => ({ finished: true as const, jobs: 3 });
    const consent = { consented: async () => true, consent: async () => undefined };

    chat.state.ports = {
      privacy: {
        keepsChat: true,
        checksContent: false,
        hasVisibleMark: false,
        keepsFaces: false,
        eraseMe,
        ...consent,
      },
    };
    expect(await chat.type('/privacy')).toMatch(/This chat is kept here too/);
    expect(await chat.choose('Delete all my data')).toMatch(/your results are deleted from this chat too/);
  });
});
