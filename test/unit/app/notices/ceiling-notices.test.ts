import { afterEach, beforeEach, expect, it } from 'vitest';
import { ceilingRecords, createCeilingNotices } from '../../../../src/app/notices/ceiling-notices.ts';
import { createLog } from '../../../../src/log/log.ts';
import { Refusal } from '../../../../src/orchestrator/job/refusal.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore({ path: ':memory:', keys: [] });
});
afterEach(() => store.close());

const log = createLog({ level: 'silent', secrets: [] });
const refusal = (of: 'community' | 'service') =>
  new Refusal({ code: 'ceiling', of, needed: 2, left: 1, resetsAt: 0 });

/** A process. */
const start = (most: number | undefined, clock = createFakeClock()) => {
  const told: string[] = [];
  const figures: unknown[] = [];
  const notices = createCeilingNotices(
    store.keyv('ceilings', ceilingRecords),
    most,
    (what, _, ceiling) => {
      told.push(what);
      figures.push(ceiling);
    },
    clock,
    log,
  );
  return { ...notices, told, figures, clock };
};
/** What was begun before is done when this is. */
const settled = async () => void (await store.keyv('ceilings', ceilingRecords).get('none'));

it('are given at 80 % and when a job is refused, each once a day, whichever process sees it first', async () => {
  const [one, other] = [start(100), start(100)];
  one.accepted(79);
  one.accepted(undefined);
  one.refused(refusal('community'));
  one.refused(new Error('another'));
  await settled();
  expect(one.told).toEqual([]);
  one.accepted(80);
  await eventually(() => one.told.length === 1, 'the first');
  other.accepted(90);
  one.accepted(95);
  other.refused(refusal('service'));
  await eventually(() => other.told.length === 1, 'the second');
  one.refused(refusal('service'));
  one.accepted(100);
  start(100).accepted(85);
  await settled();
  expect([one.told, other.told]).toEqual([['service-ceiling-near'], ['service-ceiling']]);
  expect([one.figures, other.figures]).toEqual([[{ used: 80, most: 100 }], [{ used: 99, most: 100 }]]);
  await one.clock.advance(86_400_000);
  one.accepted(100);
  await eventually(() => one.told.length === 2, 'the next day');
  expect(one.told.at(-1)).toBe('service-ceiling');
  one.accepted(85);
  await settled();
  expect(one.told).toHaveLength(2);
});

it('are not given where there is no ceiling', async () => {
  const { accepted, told } = start(undefined);
  accepted(1_000_000);
  await settled();
  expect(told).toEqual([]);
});
