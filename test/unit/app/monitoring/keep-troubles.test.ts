import { expect, it } from 'vitest';
import { keepTroubles } from '../../../../src/app/monitoring/keep-troubles.ts';
import {
  createTroubles,
  type Trouble,
  troubleRecords,
  troublesIn,
  withTroubles,
} from '../../../../src/log/troubles.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import { holds } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const WARN = 40;
const named = (name: string): Error => Object.assign(new Error('x'), { name, stack: '' });

async function open() {
  const clock = createFakeClock();
  const store = await openStore({ path: ':memory:', keys: [], now: clock.now });
  const records = store.keyv('troubles', troubleRecords);
  const kept = async () =>
    troublesIn(await records.get('latest')).map(({ error, count }) => `${count} ${error?.name}`);
  return { clock, records, kept };
}

it('saves them every ten seconds, those of all processes in one record', async () => {
  const { clock, records, kept } = await open();
  const [one, other] = [createTroubles(clock.now), createTroubles(clock.now)];
  const stops = [one, other].map((each) => keepTroubles(each, records, clock));
  one.seen(WARN, [named('first')]);
  other.seen(WARN, [named('first')]);
  other.seen(WARN, [named('second')]);
  expect(await kept()).toEqual([]);
  await clock.advance(10_000);
  await holds(async () => expect((await kept()).toSorted()).toEqual(['1 second', '2 first']));
  one.seen(WARN, [named('third')]);
  await Promise.all(stops.map((stop) => stop()));
  expect(await kept()).toContain('1 third');
});

it('saves them later when the store is away, and loses none', async () => {
  const { clock, records, kept } = await open();
  const troubles = createTroubles(clock.now);
  let isAway = true;
  const update: typeof records.update = async (...given) => {
    if (isAway) throw new Error('away');
    return records.update(...given);
  };
  const stop = keepTroubles(troubles, { update }, clock);
  troubles.seen(WARN, [named('away')]);
  await clock.advance(10_000);
  troubles.seen(WARN, [named('away')]);
  await clock.advance(10_000);
  isAway = false;
  await clock.advance(10_000);
  await holds(async () => expect(await kept()).toEqual(['2 away']));
  await stop();
});

it('saves at once before the process ends by an error', async () => {
  const { clock, records, kept } = await open();
  const troubles = createTroubles(clock.now);
  const stop = keepTroubles(troubles, records, clock);
  troubles.seen(60, [{ err: named('end') }, 'the end']);
  await troubles.save();
  expect(await kept()).toEqual(['1 end']);
  await stop();
});

it('keeps the latest hundred kinds', () => {
  const kind = (index: number): Trouble => ({
    level: 'warn',
    places: [`src/app.ts:${index}`],
    first: 1,
    last: index,
    count: 1,
  });
  const many = Array.from({ length: 250 }, (_, index) => kind(index));
  const kept = withTroubles(many.slice(0, 120), many.slice(100));
  expect(kept).toHaveLength(100);
  expect(kept[0]).toEqual(kind(150));
  expect(troubleRecords.isValid('latest', kept)).toBe(true);
  expect(withTroubles([kind(5)], [{ ...kind(5), last: 9 }])).toEqual([{ ...kind(5), last: 9, count: 2 }]);
});
