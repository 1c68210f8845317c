import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { filterKey } from '../../../src/command/kinds.ts';
import type { JobState, JobSummary, Ports } from '../../../src/command/ports.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { en } from '../../../src/words/en/words.ts';
import { LANGUAGES, languages } from '../../../src/words/words.ts';
import { alice, bob, buttonsOf, createFakeChat, direct, photo, photo2, room } from '../../fakes/call.ts';

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

/** Without any filters. */
const nothing: Ports['catalog'] = {
  list: async () => [],
  known: () => [],
  sheet: async () => undefined,
  order: async () => ({ recent: [], used: [] }),
};

describe('/help', () => {
  test('has the command of every file', async () => {
    const folder = join(import.meta.dirname, '../../../commands');
    const files = globSync('*.ts', { cwd: folder }).filter((file) => file !== 'index.ts');
    const missing = files.filter((file) => !commands.some(({ name }) => `${name}.ts` === file));
    expect(missing.join(), 'in commands/ and not in the list of commands/index.ts').toBe('');
  });

  test('lists every command', async () => {
    const said = await createFakeChat().type('/help');
    for (const { name } of commands) expect(said).toContain(`/${name} `);
  });

  test('says which are for moderators', async () => {
    expect(await createFakeChat().type('/start')).toMatch(/For moderators[\s\S]*\/alias[\s\S]*\/settings/);
  });

  test.each(commands)('/help $name has its form, options, choices and examples', async ({ name }) => {
    const command = commands.find((each) => each.name === name);
    const said = await createFakeChat().type(`/help ${name}`);
    expect(said).toContain(`/${name}`);
    for (const example of command?.examples ?? []) expect(said).toContain(example);
    const options = Object.values(command?.subcommands ?? { it: command?.action }).flatMap((action) =>
      Object.entries(action?.options ?? {}),
    );
    for (const [option, { description }] of options)
      expect(said).toContain(`${option} ${typeof description === 'string' ? description : description(en)}`);
  });

  test.each(LANGUAGES)('names the prices of what it makes in %s, where there are any', async (locale) => {
    const { credits, help } = languages[locale];
    const chat = createFakeChat(alice, undefined, locale);
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
    const chatWithFilters = () => {
      const chat = createFakeChat();
      const recent = [filterKey('face', '12')];
      chat.state.ports = {
        catalog: { ...nothing, known: () => entries, sheet, order: async () => ({ recent, used: [] }) },
      };
      return chat;
    };

    test('a tile is used with the photo that came with /help', async () => {
      const chat = chatWithFilters();
      await chat.type('/help', photo);
      await chat.press(tilesIn(chat.last)[0]?.action ?? '');
      await chat.choose('female');
      expect(chat.state.generated).toMatchObject([{ request: { photo, filter: { id: 12 } } }]);
    });

    test('shows ten filters, the first and the newest, three things to try and the names of all commands', async () => {
      const chat = chatWithFilters();
      const said = (await chat.type('/help')) ?? '';
      expect(tilesIn(chat.last).map(({ label }) => label)).toEqual([
        ...['12', '1', '2', '3', '4', '26', '27', '28', '29', '30'],
      ]);
      expect(chat.last).toMatchObject({ view: { media: { kind: 'image' } } });
      expect(said).toMatch(/Three things to try:\n\/faceswap Put .*\n\/animate Turn .*\n\/filters Browse/);
      expect(said).toMatch(/More commands · .*\/privacy/);
      expect(said).toMatch(/For moderators · \/alias \/settings/);
      for (const { name } of commands) expect(said).toContain(`/${name}`);
      // Telegram's limit on the text of a picture.
      expect(said.length).toBeLessThan(1024);
    });

    test.each(LANGUAGES)('has room for its words in %s', async (locale) => {
      const chat = createFakeChat(alice, undefined, locale);
      const price = () => ({ least: 10_000, most: 20_000 });
      chat.state.ports = { price, catalog: { ...nothing, known: () => entries, sheet } };
      expect(((await chat.type('/help')) ?? '').length).toBeLessThan(1024);
    });

    test('a tile begins /faceswap; a button explains all commands, and leads back', async () => {
      const chat = chatWithFilters();
      await chat.type('/help');
      expect(await chat.choose('All commands')).toContain('/transition Make a short video');
      expect(tilesIn(chat.last)).toEqual([]);
      expect(await chat.choose('◀')).toMatch(/Three things to try/);
      await chat.press(tilesIn(chat.last)[0]?.action ?? '');
      expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'photo' }] });
    });
  });

  test('shows defaults', async () => {
    const said = await createFakeChat().type('/help animate');
    expect(said).toMatch(/one of simple, advanced, performance · default: advanced/);
    expect(said).toMatch(/one of yes, no · default: no/);
  });

  test('a misspelt name gets the nearest', async () => {
    expect(await createFakeChat().type('/help /facswap')).toMatch(/Did you mean \/faceswap/);
  });
});

test('every example of every command works as it is typed', async () => {
  for (const { name, examples, generates } of commands) {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const chat = createFakeChat();
      chat.state.moderators.add('web:alice');
      await chat.as({ ...bob, name: 'someone' }).type('/usage');
      const details = {
        id: 'a',
        model: 'face',
        createdAt: undefined,
        updatedAt: undefined,
        history: [],
      } as const;
      chat.state.aliases = [{ ...details, name: 'halloween' }];
      if (!example.startsWith('/face save')) await chat.type('/face save me', photo);
      const photos = example.includes('face=') ? [] : name === 'transition' ? [photo, photo] : [photo];
      const said = await chat.type(example, ...photos);
      expect([name, example, said]).not.toEqual([name, example, expect.stringMatching(/Usage:|our side/)]);
      if (generates) expect(['card', 'ask']).toContain(chat.last?.kind);
      // Without a kind of its own there is no consent, and nothing to repeat it with.
      else expect(chat.state.generated).toEqual([]);
    }
  }
});

describe('/filters', () => {
  test('lists with numbers and says how to use one', async () => {
    const said = await createFakeChat().type('/filters');
    expect(said).toMatch(/12 Pop Art/);
    expect(said).toMatch(/\/faceswap 3/);
  });

  test('a custom filter is shown by name, not by UUID', async () => {
    const chat = createFakeChat();
    const entry = {
      reference: 'b233920d-b5e5-5f69-9948-43e1369f75bf',
      name: 'Velvet Noir',
      model: 'face' as const,
    };
    chat.state.ports = { catalog: { ...nothing, list: async () => [entry] } };
    expect(await chat.type('/filters mine')).toMatch(/for example \/faceswap Velvet Noir/);
  });

  test('searches, and says when there is nothing', async () => {
    expect(await createFakeChat().type('/filters search=noir')).not.toMatch(/Pop Art/);
    expect(await createFakeChat().type('/filters zzz')).toMatch(/Nothing matches "zzz"/);
  });

  describe('with previews', () => {
    test('shows pages of tiles with their sheet, and keeps the search', async () => {
      const chat = createFakeChat();
      const searched: (string | undefined)[] = [];
      chat.state.ports = {
        catalog: {
          ...nothing,
          async list(_catalog, search) {
            searched.push(search);
            return entries;
          },
          sheet,
        },
      };
      expect(await chat.type('/filters realistic search=fil')).toMatch(/Press one[\s\S]*Page 1 of 2/);
      expect(tilesIn(chat.last).map(({ label }) => label)).toEqual(
        Array.from({ length: 25 }, (_, index) => `${index + 1}`),
      );
      expect(chat.last).toMatchObject({
        view: { media: { alt: expect.stringMatching(/: 1 Filter 1, 2 Filter 2/) } },
      });
      expect(await chat.choose('▶')).toMatch(/Page 2 of 2/);
      expect(tilesIn(chat.last).map(({ name }) => name)).toContain('Filter 26');
      expect(buttonsOf(chat.last).map(({ label }) => label)).toEqual(['◀']);
      expect(searched).toEqual(['fil', 'fil']);
    });

    test.each([
      ['face', '/faceswap'],
      ['stylized', '/groupswap'],
    ])('a tile of %s begins its command, which asks for the photo', async (model, command) => {
      const chat = createFakeChat();
      chat.state.ports = { catalog: { ...nothing, list: async () => entries, sheet } };
      await chat.type(`/filters ${model}`);
      await chat.press(tilesIn(chat.last)[11]?.action ?? '');
      expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'photo' }] });
      expect(chat.last).toMatchObject({ view: { title: expect.stringContaining(command) } });
    });

    test('begins with recent ones on its first page, unless something is searched for', async () => {
      const chat = createFakeChat();
      const preferred = async () => ({ recent: ['realistic:30', 'face:4'], used: ['realistic:7'] });
      chat.state.ports = { catalog: { ...nothing, list: async () => entries, sheet, order: preferred } };
      expect(await chat.type('/filters realistic')).toContain(en.filters.recentFirst);
      expect(tilesIn(chat.last).map(({ label }) => label)).toEqual(
        expect.arrayContaining(['30', '7', '1', '23']),
      );
      expect(tilesIn(chat.last)[0]?.label).toBe('30');
      expect(tilesIn(chat.last)[1]?.label).toBe('7');
      expect(await chat.choose('▶')).not.toContain(en.filters.recentFirst);
      expect(tilesIn(chat.last).map(({ label }) => label)).not.toContain('30');
      expect(await chat.type('/filters realistic search=x')).not.toContain(en.filters.recentFirst);
      expect(tilesIn(chat.last)[0]?.label).toBe('1');
    });

    describe('a tile is used with the photo of the conversation', () => {
      const withPhotos = (where = direct) => {
        const chat = createFakeChat(alice, where);
        chat.state.ports = { catalog: { ...nothing, list: async () => entries, sheet } };
        return chat;
      };
      const pressTile = async (chat: ReturnType<typeof createFakeChat>): Promise<void> =>
        void (await chat.press(tilesIn(chat.last)[11]?.action ?? ''));

      test('that came with /filters, also from another page', async () => {
        const chat = withPhotos(room);
        await chat.type('/filters', photo);
        await chat.choose('▶');
        await chat.choose('◀');
        await pressTile(chat);
        expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'gender' }] });
        await chat.choose('female');
        expect(chat.state.generated).toMatchObject([{ request: { photo, filter: { id: 12 } } }]);
        await chat.type('/filters stylized', photo2);
        await pressTile(chat);
        expect(chat.state.generated[1]?.request).toMatchObject({
          kind: 'multi-swap-stylized',
          photo: photo2,
        });
      });

      test('that was sent there just before, unless something was made of it', async () => {
        const chat = withPhotos();
        await chat.type('', photo);
        const [offer] = buttonsOf(chat.last);
        await chat.type('/filters stylized');
        await pressTile(chat);
        expect(chat.state.generated[0]?.request).toMatchObject({ kind: 'multi-swap-stylized', photo });
        await chat.press(offer?.action ?? '');
        await chat.press(
          buttonsOf(chat.last).find(({ action }) => action.endsWith(':filter:12'))?.action ?? '',
        );
        await chat.choose('female');
        expect(chat.state.generated).toHaveLength(2);
        await chat.type('/filters stylized');
        await pressTile(chat);
        expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'photo' }] });
      });

      test('and not with somebody else’s, nor with one from another chat', async () => {
        const chat = withPhotos();
        await chat.type('', photo);
        const elsewhere = chat.as(alice, room);
        const other = chat.as(bob, { ...direct, community: 'web:dm:bob' });
        for (const each of [elsewhere, other]) {
          await each.type('/filters');
          await each.press(tilesIn(each.last)[11]?.action ?? '');
          expect(each.last).toMatchObject({ kind: 'ask', questions: [{ option: 'photo' }] });
        }
      });
    });

    test('what has no number gets a letter', async () => {
      const chat = createFakeChat();
      const own = entries.slice(0, 2).map((entry) => ({ ...entry, reference: randomUUID() }));
      chat.state.ports = { catalog: { ...nothing, list: async () => own } };
      await chat.type('/filters mine');
      expect(tilesIn(chat.last).map(({ label, name }) => `${label} ${name}`)).toEqual([
        'A Filter 1',
        'B Filter 2',
      ]);
      for (const { action } of tilesIn(chat.last)) expect(action.length).toBeLessThanOrEqual(64);
    });

    test.each(['use:draft-1', 'use:draft-1:f', 'use:draft-1:x:2', 'use:draft-1:face:2', 'use:draft-1:f:2:3'])(
      'a forged press does nothing: %s',
      async (action) => {
        const chat = createFakeChat();
        chat.state.ports = { catalog: { ...nothing, list: async () => entries, sheet } };
        await chat.type('/filters');
        await chat.press(action);
        expect(chat.last?.kind).not.toBe('card');
      },
    );
  });
});

describe('/jobs', () => {
  const job = (id: string, state: JobState, owner = 'web:alice'): JobSummary => ({
    id,
    state,
    kind: 'face-swap-v6',
    label: 'Pop Art',
    credits: 2,
    createdAt: Date.UTC(2026, 0, 5, 11, 58),
    owner,
    community: 'web:room',
  });
  const request = {
    kind: 'face-swap-v6',
    photo,
    filter: { by: 'number', id: 12, name: 'Pop Art' },
    gender: 'male',
  } as const;
  const chatWith = (...jobs: readonly JobSummary[]) => {
    const chat = createFakeChat();
    chat.state.jobs.push(...jobs.map((each) => ({ ...each, request })));
    return chat;
  };

  test('says so when there are none', async () => {
    expect(await chatWith(job('a', 'done', 'web:bob')).type('/jobs')).toMatch(/no jobs yet/);
  });

  test.each([
    [45_000, '45 s ago'],
    [130_000, '2 min ago'],
    [(5 * 60 + 59) * 60_000, '5 h ago'],
    [50 * 60 * 60_000, '2 days ago'],
  ])('an age is rounded: %i ms', async (age, said) => {
    const made = { ...job('a', 'done'), createdAt: Date.UTC(2026, 0, 5, 12) - age };
    expect(await chatWith(made).type('/jobs')).toContain(` · ${said}`);
  });

  test('each with its state, age and buttons', async () => {
    const chat = chatWith(job('a', 'running'), job('b', 'done'), job('c', 'failed'));
    expect(await chat.type('/jobs')).toMatch(/1 · Face swap · Pop Art · in progress · 2 credits · 2 min ago/);
    // Each names its list: what is pressed there is nobody's card.
    const actions = ['show:a', 'cancel:a', 'show:b', 'again:b', 'delete:b', 'show:c', 'retry:c'];
    expect(buttonsOf(chat.last).map(({ action }) => action)).toEqual(
      actions.map((action) => `${action}:draft-1.0`),
    );
  });

  test('Delete in an old list deletes, and leaves the list as it is', async () => {
    const chat = chatWith(job('b', 'done'));
    expect(await chat.press('delete:b:forgotten.0')).toBe('removed b');
    expect(chat.last).toEqual({ kind: 'note', text: 'removed b' });
  });

  test('a private job is not shown to the whole chat', async () => {
    const open = chatWith(job('a', 'done'));
    await open.type('/jobs');
    expect(open.last).toMatchObject({ private: 'in-place' });
    const secret = chatWith(job('a', 'done'), { ...job('b', 'done'), private: true });
    await secret.type('/jobs');
    expect(secret.last).toMatchObject({ private: true });
  });

  test('a job of another chat is not shown to the whole chat, on any page', async () => {
    const here = ['a', 'b', 'c', 'd'].map((id) => job(id, 'done'));
    const chat = chatWith(...here, { ...job('e', 'done'), community: 'web:dm:alice' });
    await chat.type('/jobs');
    expect(chat.last).toMatchObject({ private: true });
  });

  test('many are paged in at most five rows', async () => {
    const chat = chatWith(...Array.from({ length: 9 }, (_, index) => job(`j${index}`, 'done')));
    await chat.type('/jobs');
    expect(chat.last).toMatchObject({ view: { buttons: { length: 5 } } });
    expect(await chat.choose('▶')).toMatch(/5 · Face swap/);
  });
});

describe('/usage', () => {
  test('credits used, reserved and left', async () => {
    const said = await createFakeChat().type('/usage');
    expect(said).toMatch(
      /used 12 of 100 credits[\s\S]*The owner’s default[\s\S]*3 more reserved[\s\S]*85 credits left[\s\S]*in 12 h/,
    );
    expect(said).not.toMatch(/community/);
  });

  test('what was granted, and what is left of it', async () => {
    const chat = createFakeChat();
    chat.state.ports = {
      usage: {
        mine: async () => ({
          ...{ used: 5, reserved: 0, limit: 5, resetsAt: Date.UTC(2026, 0, 6), source: 'role' },
          granted: { used: 4, left: 20 },
        }),
        community: async () => ({ used: 0, reserved: 0, people: 0, jobs: 0 }),
      },
    };
    expect(await chat.type('/usage')).toMatch(
      /used 5 of 5[\s\S]*one of your roles[\s\S]*0 credits left[\s\S]*granted credits today: 4[\s\S]*20 credits granted to you/,
    );
  });

  test('a moderator also sees the community’s', async () => {
    const chat = createFakeChat();
    chat.state.moderators.add('web:alice');
    expect(await chat.type('/usage')).toMatch(/40 credits used by 4 people in 15 jobs[\s\S]*40 of the 1000/);
  });
});

describe('/privacy', () => {
  test('says what is kept and who gets the photo, and deletes after a confirmation', async () => {
    const chat = createFakeChat();
    expect(await chat.type('/privacy')).toMatch(
      /generation service[\s\S]*credits you used each day, for 30 days/,
    );
    expect(await chat.choose('Delete all my data')).toMatch(/cannot be undone/);
    expect(await chat.choose('Yes, delete everything')).toMatch(/3 jobs .* deleted/);
    expect(chat.last?.kind).toBe('replace');
  });

  test('says that results are deleted too where the chat is stored here', async () => {
    const chat = createFakeChat();
    const privacy = {
      keepsChat: true,
      keepsFaces: false,
      eraseMe: async () => ({ finished: true as const, jobs: 3 }),
    };
    chat.state.ports = {
      privacy: { ...privacy, consented: async () => true, consent: async () => undefined },
    };
    expect(await chat.type('/privacy')).toMatch(/This chat is kept here too/);
    expect(await chat.choose('Delete all my data')).toMatch(/your results are deleted from this chat too/);
  });
});
