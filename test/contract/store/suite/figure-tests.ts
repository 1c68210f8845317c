import { beforeEach, describe, expect, it } from 'vitest';
import type {
  FigureAddition,
  FigureBatch,
  OutageInterval,
  Scale,
  Sums,
} from '../../../../src/store/tables/figures.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { keyOf, sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, doneJob, insert, orderOf, person } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

/** `group/name`, or a name of the group `jobs`. */
function grouped(flat: Readonly<Record<string, number>>): Sums {
  const sums: Record<string, Record<string, number>> = {};
  for (const [path, sum] of Object.entries(flat)) {
    const [group = '', name] = path.split('/');
    const [into, key] = name === undefined ? ['jobs', group] : [group, name];
    sums[into] ??= {};
    Object.assign(sums[into], { [key]: sum });
  }
  return sums;
}

/** The other way round. */
const flat = (sums: Sums): Record<string, number> =>
  Object.fromEntries(
    Object.entries(sums).flatMap(([group, names]) =>
      Object.entries(names).map(([name, sum]) => [group === 'jobs' ? name : `${group}/${name}`, sum]),
    ),
  );

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

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
  const minute = (sums: Record<string, number>, at = noon): FigureAddition => ({
    ...{ scale: 'minute', at, sums: grouped(sums) },
  });
  const all = async (store: Pick<Store, 'figures'>, scale: Scale = 'minute') =>
    (await store.figures.read(scale, 0, noon + 1_000 * DAY)).map((row) => ({ ...row, sums: flat(row.sums) }));
  const sumsIn = async (store: Pick<Store, 'figures'>, scale?: Scale) =>
    (await all(store, scale)).map(({ sums }) => sums);
  const outage = (from: number, until: number, what = 'discord'): OutageInterval => ({
    ...{ what, reason: what === 'discord' ? undefined : 'credits' },
    ...{ from: noon + from, until: noon + until },
  });

  describe.each(PLAIN_AND_ENCRYPTED)('rows, %s', (_, keys) => {
    it('hold the sums of what was added to their time', async () => {
      const { figures } = await place.open(keys);
      await figures.add(batch([minute({ done: 1, polls: 5 }), minute({ done: 2 }, noon + MINUTE)]));
      await figures.add(batch([minute({ done: 3, failed: 1 }, noon + MINUTE - 1), minute({ polls: 1 })]));
      await figures.add(batch([{ scale: 'hour', at: noon + 59 * MINUTE, sums: grouped({ done: 7 }) }]));
      const store = await place.open(keys);
      const rows = await all(store);
      expect(rows).toEqual([
        { at: noon, sums: { done: 4, polls: 6, failed: 1 }, outages: [] },
        { at: noon + MINUTE, sums: { done: 2 }, outages: [] },
      ]);
      expect(await all(store, 'hour')).toEqual([{ at: noon, sums: { done: 7 }, outages: [] }]);
      expect(await store.figures.read('minute', noon + 1, noon + MINUTE)).toEqual([]);
      expect(await store.figures.read('minute', noon + MINUTE, noon + 2 * MINUTE)).toHaveLength(1);
    });

    it('lose nothing when many are added at once', async () => {
      const store = await place.open(keys);
      const additions = (kind: number) =>
        (['minute', 'hour', 'day'] as const).map((scale) => ({
          ...{ scale, at: noon, sums: grouped({ done: 1, [`kind/${kind}`]: 2 }) },
        }));
      // Each process sends one after the other.
      const processOf = async (__: unknown, index: number): Promise<void> => {
        for (let each = 1; each <= 5; each += 1)
          await store.figures.add({
            ...{ writer: `writer ${index}`, number: each, at: noon },
            additions: additions(index % 4),
          });
      };
      await Promise.all(Array.from({ length: 8 }, processOf));
      for (const scale of ['minute', 'hour', 'day'] as const)
        expect(await sumsIn(store, scale)).toEqual([
          { done: 40, 'kind/0': 20, 'kind/1': 20, 'kind/2': 20, 'kind/3': 20 },
        ]);
    });

    it('have a batch once, however often it is sent', async () => {
      const store = await place.open(keys);
      const [first, second] = [batch([minute({ done: 1 })]), batch([minute({ done: 10 }, noon + MINUTE)])];
      for (const each of [first, first, second, first, second]) await store.figures.add(each);
      await (await place.open(keys)).figures.add(second);
      const others = { ...second, writer: 'two' };
      const reopened = await place.open(keys);
      await reopened.figures.add(others);
      expect(await sumsIn(reopened)).toEqual([{ done: 1 }, { done: 20 }]);
    });

    it('name no community that could be read without the key', async () => {
      const store = await place.open(keys);
      await store.figures.add(batch([minute({ [`credits/${community}`]: 5 })]));
      expect(await sumsIn(store)).toEqual([{ [`credits/${community}`]: 5 }]);
      const [row] = await place.sql('SELECT body FROM figures');
      const body = row?.body;
      const text = body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : String(body);
      expect(text.includes(community)).toBe(keys.length === 0);
    });

    it('that are damaged cost themselves only, and begin anew', async () => {
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
      ];
      for (const [index, body] of bodies.entries())
        await place.sql(
          'INSERT INTO figures (scale, at, body) VALUES ($1, $2, $3)',
          ...['minute', noon + index * MINUTE, place.sealed(body, 'figures', keys)],
        );
      const unsealed = place.sealed('{"sums":{"jobs":{"done":5}}}', 'another purpose', [keyOf(9)]);
      await place.sql(
        'INSERT INTO figures (scale, at, body) VALUES ($1, $2, $3)',
        ...['minute', noon + 10 * MINUTE, unsealed],
      );
      await store.figures.add(batch([minute({ done: 3 }, noon + 30 * MINUTE), minute({ done: 4 })]));
      expect(await all(store)).toMatchObject([
        { at: noon, sums: { done: 4 } },
        { at: noon + 30 * MINUTE, sums: { done: 3 } },
      ]);
    });
  });

  it('are found again when a key is set, and when it is changed', async () => {
    const { figures } = await place.open();
    await figures.add(batch([minute({ done: 1, [`credits/${community}`]: 5 })]));
    await (await place.open([keyOf(3)])).figures.add(batch([minute({ done: 1 })]));
    const [row] = await place.sql('SELECT body FROM figures');
    expect(Buffer.from(row?.body as Uint8Array).toString('latin1')).not.toContain(community);
    const both = await place.open([keyOf(4), keyOf(3)]);
    while (await both.sweep());
    const store = await place.open([keyOf(4)]);
    expect(await sumsIn(store)).toEqual([{ done: 2, [`credits/${community}`]: 5 }]);
  });

  it('stay small, and keep what is largest', async () => {
    const store = await place.open();
    const names = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index + 1]));
    const sums = {
      ...names(1_000, 'credits/discord:'),
      ...names(1_000, 'errors/'),
      ...names(1_000, 'done/'),
      [`x${'y'.repeat(500)}`]: 9e6,
    };
    for (const scale of ['minute', 'hour', 'day'] as const)
      await store.figures.add(batch([{ scale, at: noon, sums: grouped(sums) }]));
    for (const [scale, most] of [
      ['minute', 91],
      ['hour', 96],
      ['day', 116],
    ] as const) {
      const [row = {}] = await sumsIn(store, scale);
      expect(Object.keys(row)).toHaveLength(most);
      expect([row['credits/discord:999'], row['errors/999']]).toEqual([1_000, 1_000]);
    }
    // Not even by numbers that cannot be added up.
    for (const done of [Number.MAX_SAFE_INTEGER, 5, Number.NaN, -3, 0.5])
      await store.figures.add(batch([minute({ done }, noon + DAY)]));
    expect((await sumsIn(store)).at(-1)).toEqual({ done: Number.MAX_SAFE_INTEGER });
  });

  it('take the credits of the ledger in place of what was counted', async () => {
    const store = await place.open();
    const counted = { done: 1, 'credits/': 9, 'credits/a': 4, 'credits/b': 5 };
    await store.figures.add(batch([{ scale: 'day', at: noon, sums: grouped(counted) }]));
    const credits = { '': 7, a: 6 };
    await store.figures.add(batch([{ scale: 'day', at: noon, credits }]));
    await store.figures.add(batch([{ scale: 'day', at: noon, credits }]));
    expect(await sumsIn(store, 'day')).toEqual([{ done: 1, 'credits/': 7, 'credits/a': 6 }]);
  });

  it('join outages that touch, and keep the longest of very many', async () => {
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

  it('are removed after 26 hours, 40 days and 400 days', async () => {
    const store = await place.open();
    const old: readonly (readonly [Scale, number])[] = [
      ['minute', 25 * 60 * MINUTE],
      ['minute', 27 * 60 * MINUTE],
      ['hour', 39 * DAY],
      ['hour', 41 * DAY],
      ['day', 399 * DAY],
      ['day', 401 * DAY],
    ];
    await store.figures.add(
      batch(
        old.map(([scale, ago]) => ({ scale, at: noon - ago, sums: grouped({ [`${scale} ${ago}`]: 1 }) })),
      ),
    );
    while (await store.sweep());
    const left = [];
    for (const scale of ['minute', 'hour', 'day'] as const) left.push(...(await sumsIn(store, scale)));
    expect(left.flatMap((sums) => Object.keys(sums))).toEqual([
      `minute ${25 * 60 * MINUTE}`,
      `hour ${39 * DAY}`,
      `day ${399 * DAY}`,
    ]);
  });

  it('have nothing of a person, so that an erasure changes nothing in them', async () => {
    const store = await place.open();
    await store.figures.add(batch([minute({ done: 3, [`credits/${community}`]: 5 })]));
    const rows = () => place.sql('SELECT scale, at, body FROM figures');
    const before = await rows();
    await insert(store, doneJob());
    const who = await store.erasures.begin(person);
    while ((await store.erasures.more(who, 10)).left);
    while (await store.sweep());
    expect(await rows()).toEqual(before);
  });

  describe('the ledger tells of credits by the day', () => {
    it.each(PLAIN_AND_ENCRYPTED)('of communities and in all, %s', async (_, keys) => {
      const { jobs, usage } = await place.open(keys);
      const accept = async (where: string, day: string, credits: number) =>
        jobs.accept(
          orderOf(
            sampleJob({ state: 'opening', day, credits, place: { ...sampleJob().place, community: where } }),
          ),
        );
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
    });
  });
}
