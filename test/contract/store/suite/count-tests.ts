import { beforeEach, describe, expect, it } from 'vitest';
import type {
  FigureAddition,
  FigureBatch,
  OutageInterval,
  Scale,
} from '../../../../src/store/tables/figures.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { hourOf } from '../../../../src/store/tables/tallies.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import { community, type Driver, insert, orderOf } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const opening = (more: Parameters<typeof sampleJob>[0] = {}) => sampleJob({ ...more, state: 'opening' });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function tallyTests(driver: Driver): void {
  const place = placeForEach(driver);
  let noon: number;
  beforeEach(async () => {
    noon = place.time.now;
  });

  describe.each(PLAIN_AND_ENCRYPTED)('of a community, $how', ({ keys }) => {
    const counted = async (what: 'job' | 'filter' | 'end', where = community) => {
      const rows = await (await place.open(keys)).tallies.since(where, what, 0);
      return rows
        .map(({ hour, name, count, credits }) => ({ sinceNoon: hour - hourOf(noon), name, count, credits }))
        .toSorted((one, other) => one.sinceNoon - other.sinceNoon || (one.name < other.name ? -1 : 1));
    };

    it('tallies count each job once, by kind and hour, and its filter by day', async () => {
      const { jobs } = await place.open(keys);
      const job = opening({ createdAt: noon });
      const filter = "mine:\0 '; DROP TABLE tallies; --";

      await jobs.accept(orderOf(job, { filter }));
      await jobs.accept(orderOf(job, { filter }));
      await jobs.accept(orderOf(opening({ createdAt: noon + HOUR }), { filter }));
      await jobs.accept(orderOf(opening({ createdAt: noon + HOUR, credits: 7 })));
      const refused = orderOf(opening({ createdAt: noon }), { filter: 'face:3', dailyCredits: 0 });

      await expect(jobs.accept(refused)).rejects.toThrow();

      const { kind } = job.request;
      expect(await counted('job')).toEqual([
        { sinceNoon: 0, name: kind, count: 1, credits: 2 },
        { sinceNoon: 1, name: kind, count: 2, credits: 9 },
      ]);
      expect(await counted('filter')).toEqual([{ sinceNoon: -12, name: filter, count: 2, credits: 4 }]);
      expect(await counted('job', 'discord:1')).toEqual([]);
    });

    it('tallies leave out people’s own communities, and the filters of private jobs', async () => {
      const { jobs } = await place.open(keys);
      const direct = { ...sampleJob().place, community: 'discord:dm:424242424242' };

      await jobs.accept(orderOf(opening({ place: direct, createdAt: noon }), { filter: 'face:12' }));
      const failing = sampleJob({ state: 'waiting', place: direct });
      await insert({ jobs }, failing);
      await jobs.save(failing, jobWith({ ...failing, state: 'cancelled', charge: 'returned' }));

      expect(await place.sql('SELECT * FROM tallies')).toEqual([]);

      await jobs.accept(orderOf(opening({ private: true, createdAt: noon }), { filter: 'face:12' }));
      expect(await counted('job')).toHaveLength(1);
      expect(await counted('filter')).toEqual([]);
    });

    it('tallies count each end without a result once, in the hour of its beginning, with the credits that went back', async () => {
      const { jobs } = await place.open(keys);
      const failing = sampleJob({ state: 'waiting', createdAt: noon });
      const cancelling = sampleJob({ state: 'running', createdAt: noon });
      const succeeding = sampleJob({ state: 'delivering', createdAt: noon, finishedAt: noon });

      await insert({ jobs }, failing, cancelling, succeeding);
      place.time.now += DAY;
      const failed = jobWith({
        ...failing,
        state: 'failed',
        failure: { code: 'deadline' },
        charge: 'returned',
        due: noon,
      });
      const saved = await jobs.save(failing, failed);

      expect(await jobs.save(failing, failed)).toBeUndefined();

      if (saved !== undefined) await jobs.save(saved, { ...saved, settled: true });
      await jobs.save(cancelling, jobWith({ ...cancelling, state: 'cancelled', charge: 'spent' }));
      await jobs.save(succeeding, jobWith({ ...succeeding, state: 'done', charge: 'spent' }));

      expect(await counted('end')).toEqual([
        { sinceNoon: 0, name: 'cancelled', count: 1, credits: 0 },
        { sinceNoon: 0, name: 'deadline', count: 1, credits: 2 },
      ]);
    });

    it('tallies count credits that go back after the end, once', async () => {
      const { jobs } = await place.open(keys);
      const sent = () => sampleJob({ state: 'submitting', createdAt: noon, submittedAt: noon });
      const kept = sent();
      const removed = sent();
      const forgotten = sent();

      await insert({ jobs }, kept, removed, forgotten);
      const end = (job: typeof kept, more: object) =>
        jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'spent', finishedAt: noon, ...more }));
      const cancelled = (await end(kept, {})) ?? expect.fail();
      await end(removed, { settled: true, forget: true });
      await end(forgotten, { settled: true, forget: true, charge: 'returned' });

      expect(await counted('end')).toEqual([{ sinceNoon: 0, name: 'cancelled', count: 3, credits: 2 }]);

      const later = (await place.open(keys)).jobs;
      const returned = await later.save(cancelled, { ...cancelled, charge: 'returned' });
      if (returned !== undefined) await later.save(returned, { ...returned, settled: true });
      await later.returnCredits(removed);
      await later.returnCredits(removed);

      expect(await counted('end')).toEqual([{ sinceNoon: 0, name: 'cancelled', count: 3, credits: 6 }]);
    });

    it('tallies have at most a hundred names a day; those go on counting', async () => {
      const { jobs } = await place.open(keys);
      for (let name = 0; name < 105; name += 1)
        await jobs.accept(orderOf(opening({ createdAt: noon }), { filter: `mine:${name}` }));
      for (const filter of ['mine:0', 'mine:104', `mine:${'x'.repeat(200)}`])
        await jobs.accept(orderOf(opening({ createdAt: noon }), { filter }));
      const names = await counted('filter');

      expect(names).toHaveLength(100);
      expect(names.find(({ name }) => name === 'mine:0')?.count).toBe(2);

      const reopened = await place.open(keys);
      await reopened.jobs.accept(orderOf(opening({ createdAt: noon + DAY }), { filter: 'mine:104' }));

      expect(await counted('filter')).toContainEqual({
        sinceNoon: 12,
        name: 'mine:104',
        count: 1,
        credits: 2,
      });
    });
  });

  it('tallies are read from an hour on, and removed after thirty days', async () => {
    const store = await place.open();
    for (const days of [31, 29, 0])
      await store.jobs.accept(orderOf(opening({ createdAt: noon - days * DAY }), { filter: `face:${days}` }));

    expect(await store.tallies.since(community, 'job', hourOf(noon))).toHaveLength(1);

    while (await store.sweep());
    const left = await store.tallies.since(community, 'filter', 0);

    expect(left.map(({ name }) => name).toSorted()).toEqual(['face:0', 'face:29']);
  });
}

const MINUTE = 60_000;

export function figureTests(driver: Driver): void {
  const place = placeForEach(driver);
  let noon: number;
  let number: number;
  beforeEach(async () => {
    noon = place.time.now;
    number = 0;
  });

  const batch = (additions: readonly FigureAddition[], more: Partial<FigureBatch> = {}): FigureBatch => {
    number += 1;
    return { writer: 'one', number, at: noon, additions, ...more };
  };
  const minute = (jobs: Record<string, number>, at = noon): FigureAddition => ({
    scale: 'minute',
    at,
    sums: { jobs },
  });
  const all = (store: Pick<Store, 'figures'>, scale: Scale = 'minute') =>
    store.figures.read(scale, 0, noon + 1_000 * DAY);
  const sumsIn = async (store: Pick<Store, 'figures'>, scale?: Scale) =>
    (await all(store, scale)).map(({ sums }) => sums);
  const outage = (from: number, until: number, what = 'discord'): OutageInterval => ({
    what,
    reason: what === 'discord' ? undefined : 'credits',
    from: noon + from,
    until: noon + until,
  });

  describe.each(PLAIN_AND_ENCRYPTED)('rows, $how', ({ keys }) => {
    it('rows of figures hold the sums of what was added to their time', async () => {
      const { figures } = await place.open(keys);
      await figures.add(batch([minute({ done: 1, polls: 5 }), minute({ done: 2 }, noon + MINUTE)]));
      await figures.add(batch([minute({ done: 3, failed: 1 }, noon + MINUTE - 1), minute({ polls: 1 })]));
      await figures.add(batch([{ scale: 'hour', at: noon + 59 * MINUTE, sums: { jobs: { done: 7 } } }]));
      const store = await place.open(keys);
      const rows = await all(store);

      expect(rows).toEqual([
        { at: noon, sums: { jobs: { done: 4, polls: 6, failed: 1 } }, outages: [] },
        { at: noon + MINUTE, sums: { jobs: { done: 2 } }, outages: [] },
      ]);
      expect(await all(store, 'hour')).toEqual([{ at: noon, sums: { jobs: { done: 7 } }, outages: [] }]);
      expect(await store.figures.read('minute', noon + 1, noon + MINUTE)).toEqual([]);
      expect(await store.figures.read('minute', noon + MINUTE, noon + 2 * MINUTE)).toHaveLength(1);
    });

    it('rows of figures lose nothing when many are added at once', async () => {
      const store = await place.open(keys);
      // Each process sends one addition after the other.
      const processOf = async (__: unknown, index: number): Promise<void> => {
        const sums = { jobs: { done: 1 }, kind: { [index % 2]: 2 } };
        const additions = (['minute', 'hour'] as const).map((scale) => ({ scale, at: noon, sums }));
        for (let each = 1; each <= 5; each += 1)
          await store.figures.add({ writer: `writer ${index}`, number: each, at: noon, additions });
      };
      await Promise.all(Array.from({ length: 8 }, processOf));

      for (const scale of ['minute', 'hour'] as const)
        expect(await sumsIn(store, scale)).toEqual([{ jobs: { done: 40 }, kind: { 0: 40, 1: 40 } }]);
    });

    it('damaged rows of figures cost themselves only, and begin anew', async () => {
      const store = await place.open(keys);
      const bodies = [
        '{}',
        'no json',
        '{"sums":{"jobs":{"done":-1}}}',
        '{"sums":{"jobs":{"done":1.5}}}',
        '{"sums":{"jobs":5}}',
        '{"sums":[]}',
        '{"sums":{},"outages":[{}]}',
        `{"sums":{"jobs":{"${'x'.repeat(5_000)}":1}}}`,
      ].map((body) => place.sealed(body, 'figures', keys));

      bodies.push(place.sealed('{"sums":{"jobs":{"done":5}}}', 'another purpose', [keyOf(9)]));
      const insert = "INSERT INTO figures (scale, at, body) VALUES ('minute', $1, $2)";
      for (const [index, body] of bodies.entries()) await place.sql(insert, noon + index * MINUTE, body);
      await store.figures.add(batch([minute({ done: 3 }, noon + 30 * MINUTE), minute({ done: 4 })]));

      expect(await all(store)).toMatchObject([
        { at: noon, sums: { jobs: { done: 4 } } },
        { at: noon + 30 * MINUTE, sums: { jobs: { done: 3 } } },
      ]);
    });
  });

  it('figures stay small, and keep what is largest', async () => {
    const store = await place.open();
    const names = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${prefix}${index}`, index + 1]));
    const long = { [`x${'y'.repeat(500)}`]: 9e6 };
    const sums = { credits: names('discord:'), errors: names(''), done: names(''), jobs: long };

    const expectLargest = async (scale: Scale, most: number): Promise<void> => {
      await store.figures.add(batch([{ scale, at: noon, sums }]));
      const [row = {}] = await sumsIn(store, scale);
      expect(Object.values(row).flatMap((group) => Object.keys(group))).toHaveLength(most);
      expect(row.credits?.['discord:999']).toBe(1_000);
      expect(row.errors?.['999']).toBe(1_000);
    };

    await expectLargest('minute', 91);
    await expectLargest('hour', 96);
    await expectLargest('day', 116);
  });

  it('figures are not changed by numbers that cannot be added up', async () => {
    const store = await place.open();

    for (const done of [Number.MAX_SAFE_INTEGER, 5, Number.NaN, -3, 0.5])
      await store.figures.add(batch([minute({ done }, noon + DAY)]));

    expect((await sumsIn(store)).at(-1)).toEqual({ jobs: { done: Number.MAX_SAFE_INTEGER } });
  });

  it('figures join outages that touch, and keep the longest of very many', async () => {
    const store = await place.open();
    const add = (...outages: OutageInterval[]) =>
      store.figures.add(batch([{ scale: 'day', at: noon, outages }]));

    await add(outage(0, 10_000), outage(5_000, 20_000, 'service-key'));
    await add(outage(10_000, 20_000), outage(70_000, 90_000), outage(200_000, 210_000));
    const outagesIn = async () => (await all(store, 'day'))[0]?.outages;

    expect(await outagesIn()).toEqual(
      [outage(0, 90_000), outage(5_000, 20_000, 'service-key'), outage(200_000, 210_000)].map(
        ({ reason, ...rest }) => ({ ...rest, ...(reason === undefined ? {} : { reason }) }),
      ),
    );

    for (let index = 0; index < 300; index += 1)
      await add(outage(index * 100_000, index * 100_000 + 5_000 + index, `o${index}`));
    const kept = await outagesIn();

    expect(kept).toHaveLength(100);
    expect(kept?.some(({ what }) => what === 'o299')).toBe(true);
    expect(kept?.some(({ what }) => what === 'discord')).toBe(true);
  });

  it.each([
    { scale: 'minute', after: '26 hours', keptHours: 25, removedHours: 27 },
    { scale: 'hour', after: '40 days', keptHours: 39 * 24, removedHours: 41 * 24 },
    { scale: 'day', after: '400 days', keptHours: 399 * 24, removedHours: 401 * 24 },
  ] as const)(
    'figures by the $scale are removed after $after',
    async ({ scale, keptHours, removedHours }) => {
      const store = await place.open();
      const ago = (hours: number, name: string): FigureAddition => ({
        scale,
        at: noon - hours * HOUR,
        sums: { jobs: { [name]: 1 } },
      });
      await store.figures.add(batch([ago(keptHours, 'kept'), ago(removedHours, 'removed')]));

      while (await store.sweep());

      const rows = await sumsIn(store, scale);
      const names = rows.flatMap(({ jobs = {} }) => Object.keys(jobs));
      expect(names).toEqual(['kept']);
    },
  );

  it.each(PLAIN_AND_ENCRYPTED)(
    'figures get the credits of each day from the ledger, $how',
    async ({ keys }) => {
      const { jobs, usage } = await place.open(keys);
      const accept = async (where: string, day: string, credits: number) => {
        const at = { ...sampleJob().place, community: where };
        await jobs.accept(orderOf(sampleJob({ state: 'opening', day, credits, place: at })));
      };

      await accept('discord:1', '2026-01-05', 3);
      await accept('discord:1', '2026-01-05', 4);
      await accept('discord:1', '2026-01-04', 5);
      await accept('discord:2', '2026-01-05', 6);
      await accept('discord:dm:7', '2026-01-05', 10);
      const byDay = (rows: readonly { readonly day: string }[]) =>
        rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
      const days = ['2026-01-04', '2026-01-05'];

      expect(byDay(await usage.totalsOn(days))).toEqual([
        { day: '2026-01-04', credits: 5 },
        { day: '2026-01-05', credits: 23 },
      ]);
      expect(byDay(await usage.creditsOn(days, ['discord:1', 'discord:3']))).toEqual([
        { day: '2026-01-04', community: 'discord:1', credits: 5 },
        { day: '2026-01-05', community: 'discord:1', credits: 7 },
      ]);
      expect(await usage.creditsOn([], ['discord:1'])).toEqual([]);
      expect((await usage.totalsOn(['2020-01-01'])).every(({ credits }) => credits === 0)).toBe(true);
    },
  );
}
