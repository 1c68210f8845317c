import { describe, expect, test } from 'vitest';
import type { LastChoices } from '../../../../src/command/catalog-port.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';
import type { GenerateRequest } from '../../../../src/command/request.ts';
import { createFilterOrders, type UsedFilter } from '../../../../src/community/catalog/filter-order.ts';
import type { TallyCount } from '../../../../src/store/tables/tallies.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const ann: Caller = { platform: 'discord', id: '1', name: 'Ann', locale: 'en' };
const room: Place = { platform: 'discord', community: 'discord:9', channel: '8', direct: false };
const direct: Place = { platform: 'discord', community: 'discord:dm:1', channel: '7', direct: true };

const photo = { from: 'discord', ref: 'x' } as const;

const swap = (id: number, more: Partial<UsedFilter> = {}, gender: 'male' | 'girl' = 'girl'): UsedFilter => ({
  private: false,
  community: room.community,
  channel: room.channel,
  request: { kind: 'face-swap-v6', photo, filter: { by: 'number', id, name: `F${id}` }, gender },
  ...more,
});

const setting = () => {
  const clock = createFakeClock();
  const state = {
    jobs: [] as readonly UsedFilter[],
    tallies: {} as Record<string, readonly TallyCount[]>,
    asked: [] as string[],
    errors: [] as unknown[],
    before: async (): Promise<void> => undefined,
  };
  const orders = createFilterOrders({
    async jobsOf(person) {
      state.asked.push(person);
      await state.before();
      return state.jobs;
    },
    tallies: {
      async since(community, what) {
        state.asked.push(`${community} ${what}`);
        await state.before();
        return state.tallies[community] ?? [];
      },
    },
    aliasesOf: async (community) => (community === room.community ? [{ name: 'party', id: 'A-1' }] : []),
    idsOf: async (community) => [community, ...(community === room.community ? ['discord:former'] : [])],
    clock,
    onError: (error) => state.errors.push(error),
  });
  return { clock, state, orders };
};

const tally = (name: string, count: number): TallyCount => ({ hour: 1, name, count, credits: 0 });

describe('the order of filters', () => {
  test('the order of filters begins with those used last, each once, then those the community uses most under all its ids', async () => {
    const { orders, state } = setting();

    state.jobs = [swap(12), swap(3, {}, 'male'), swap(12)];
    state.tallies = {
      'discord:9': [tally('face:1', 2), tally('face:2', 3), tally('alias:A-1', 1)],
      'discord:former': [tally('face:1', 2)],
    };

    expect(await orders.of(ann, room, false)).toEqual({
      recent: ['face:12', 'face:3'],
      used: ['face:1', 'face:2', 'alias:party'],
      last: { gender: 'girl' },
    });
  });

  const style = { by: 'alias', id: 'A-1', name: 'party' } as const;
  const own = { by: 'uuid', id: '3F2B8C1E-9D4A-4C6B-8E7F-0A1B2C3D4E5F', name: 'Neon' } as const;
  const old = { by: 'number', id: 4, name: 'Old' } as const;

  test.each<{ what: string; request: GenerateRequest; key: string }>([
    {
      what: 'a filter of engine v1',
      request: { kind: 'face-swap-v1', photo, filter: old, gender: 'girl' },
      key: 'face-v1:4',
    },
    {
      what: 'an alias',
      request: { kind: 'multi-swap-stylized', photo, style, outpaint: false },
      key: 'alias:party',
    },
    {
      what: 'a custom filter',
      request: { kind: 'multi-swap-realistic', photo, style: own, outpaint: false },
      key: 'mine:3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f',
    },
  ])('the order of filters names $what as lists do', async ({ request, key }) => {
    const { orders, state } = setting();
    state.jobs = [swap(1, { request })];

    expect((await orders.of(ann, room, false)).recent).toEqual([key]);
  });

  test('the order of filters names nothing for a job with a prompt', async () => {
    const { orders, state } = setting();
    state.jobs = [swap(1, { request: { kind: 'self-prompt', photo, prompt: 'a' } })];

    expect((await orders.of(ann, room, false)).recent).toEqual([]);
  });

  test('where others look on, the order leaves out private jobs and jobs from elsewhere', async () => {
    const { orders, state } = setting();
    state.jobs = [swap(1, { private: true }, 'male'), swap(2, { community: 'discord:dm:1' }), swap(3)];
    expect(await orders.of(ann, room, false)).toMatchObject({ recent: ['face:3'], last: { gender: 'girl' } });
    expect(await orders.of(ann, room, true)).toMatchObject({ recent: ['face:1', 'face:2', 'face:3'] });
    expect(await orders.of(ann, direct, false)).toMatchObject({ recent: ['face:1', 'face:2', 'face:3'] });
  });

  const prompt: GenerateRequest = { kind: 'self-prompt', photo, prompt: 'a' };
  const square: GenerateRequest = {
    kind: 'self-prompt',
    photo,
    prompt: 'a',
    gender: 'male',
    ratio: 'square',
  };
  const stylized: GenerateRequest = { kind: 'multi-swap-stylized', photo, style, outpaint: false };
  const realistic: GenerateRequest = { kind: 'multi-swap-realistic', photo, style, outpaint: false };

  test.each<{ which: string; jobs: readonly Partial<UsedFilter>[]; last: LastChoices }>([
    {
      which: 'of each command that has the option',
      jobs: [{ request: stylized }, { request: square }],
      last: { look: 'stylized', gender: 'male', ratio: 'square' },
    },
    {
      which: 'of the latest',
      jobs: [{ request: realistic }, { request: stylized }],
      last: { look: 'realistic' },
    },
    {
      which: 'none where the latest left the option out',
      jobs: [{ request: prompt }, { request: square }],
      last: { gender: 'male' },
    },
    {
      which: 'that the result is private',
      jobs: [{ private: true, request: prompt }, {}],
      last: { gender: 'girl', private: 'yes' },
    },
    {
      which: 'that it is for everybody again',
      jobs: [{ request: prompt }, { private: true, request: prompt }],
      last: {},
    },
  ])('the last choices are those $which', async ({ jobs, last }) => {
    const { orders, state } = setting();

    state.jobs = jobs.map((job) => swap(1, job));

    expect((await orders.of(ann, room, true)).last).toEqual(last);
  });

  test('the last choices tell others nothing of private jobs, and a direct chat is private anyway', async () => {
    const { orders, state } = setting();

    state.jobs = [swap(1, { private: true, request: square })];

    expect((await orders.of(ann, room, false)).last).toEqual({});
    expect((await orders.of(ann, direct, true)).last).toEqual({ gender: 'male', ratio: 'square' });
  });

  test('the order of filters is read once for several keystrokes, and forgotten with its person', async () => {
    const { orders, state, clock } = setting();

    state.jobs = [swap(1)];
    for (let key = 0; key < 5; key += 1) await orders.of(ann, direct, true);

    expect(state.asked).toEqual(['discord:1', 'discord:dm:1 filter']);

    state.jobs = [];
    orders.forget(ann);
    expect((await orders.of(ann, direct, true)).recent).toEqual([]);

    state.jobs = [swap(2)];
    await clock.advance(2_000);
    expect((await orders.of(ann, direct, true)).recent).toEqual(['face:2']);
  });

  test('an order that was being read while its person was erased is not used later', async () => {
    const { orders, state, clock } = setting();

    state.jobs = [swap(1)];
    const read = Promise.withResolvers<void>();
    state.before = () => read.promise;
    const early = orders.of(ann, direct, true);
    await clock.advance(0);
    orders.forget(ann);
    state.before = async () => undefined;
    state.jobs = [];
    read.resolve();
    await clock.advance(500);
    await early;

    expect((await orders.of(ann, direct, true)).recent).toEqual([]);
  });

  test('the order of filters does not wait for a slow store nor ask it again meanwhile', async () => {
    const { orders, state, clock } = setting();

    state.before = () => new Promise(() => undefined);
    for (let times = 0; times < 3; times += 1) {
      const order = orders.of(ann, room, true);
      await clock.advance(400);
      expect(await order).toEqual({ recent: [], used: [], last: {} });
    }

    expect(state.asked).toHaveLength(2);
  });

  test('the order of filters is empty where the store fails, and both failures are reported', async () => {
    const { orders, state } = setting();
    state.before = () => Promise.reject(new Error('away'));

    expect(await orders.of(ann, room, true)).toEqual({ recent: [], used: [], last: {} });
    expect(state.errors).toHaveLength(2);
  });
});
