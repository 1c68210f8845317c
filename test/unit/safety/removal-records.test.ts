import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import {
  createRemovalRecords,
  type OpenRemoval,
  REMOVAL_LIFE_MS,
  type Removal,
} from '../../../src/safety/removal/removal-records.ts';
import { createRecords } from '../../fakes/records.ts';

interface Stored {
  readonly removals: Records;
  readonly open: Records;
  readonly counts: Records;
}

let stored: Stored;
let now: number;
beforeEach(() => {
  stored = { removals: createRecords(), open: createRecords(), counts: createRecords() };
  // Records in memory expire by the machine's time, so the tests begin at that time.
  now = Date.now();
});

const records = () => createRemovalRecords(stored, () => now);

const removalOf = (job: string, at = now): OpenRemoval => ({
  job,
  community: 'web:room',
  kind: 'face-swap-v6',
  at,
  until: at + REMOVAL_LIFE_MS,
  by: { key: 'web:mo', name: 'Mo', isOwner: false },
  reason: '',
  messages: 0,
  remaining: 0,
  photos: 0,
  open: { messages: [], photos: [], hashes: [], tries: 0, due: at },
});

const done = ({ open: _, ...removal }: Removal): Removal => removal;

const openJobs = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { job } of records().open()) found.push(job);
  return found;
};

it('the removals that are not done are found without reading those that are', async () => {
  await records().add(removalOf('done'));
  await records().change('done', done);
  await records().add(removalOf('open'));
  stored.removals.iterator = () => expect.fail('all removals are read');

  expect(await openJobs()).toEqual(['open']);
});

it('a removal that was noted as open is forgotten as such some minutes after it was done or its process has died', async () => {
  await records().add(removalOf('done'));
  await records().change('done', done);
  await stored.open.set('never stored', { at: now });

  now += 9 * MINUTE_MS;

  expect(await openJobs()).toEqual([]);
  expect(await stored.open.has('never stored')).toBe(true);

  now += MINUTE_MS;

  expect(await openJobs()).toEqual([]);
  expect(await stored.open.has('done')).toBe(false);
  expect(await stored.open.has('never stored')).toBe(false);
});

it('a removal that is opened again is found, also if its note is just being deleted', async () => {
  await records().add(removalOf('job'));
  await records().change('job', done);
  now += 10 * MINUTE_MS;

  // The removal is opened again at the moment when its note would be deleted.
  const { open } = stored;
  const update = open.update.bind(open);
  open.update = async (key, ...rest) => {
    open.update = update;
    await records().reopen('job', (removal) => ({ ...removal, open: removalOf('job').open }));
    return update(key, ...rest);
  };

  expect(await openJobs()).toEqual([]);
  expect(await openJobs()).toEqual(['job']);
});

it('a removal that is not done is found after an update from a version without notes', async () => {
  await stored.removals.set('open', removalOf('open'));
  await stored.removals.set('done', done(removalOf('done')));

  await records().repair();

  expect(await openJobs()).toEqual(['open']);
});

it('the latest 500 removals are listed, the newest first', async () => {
  for (let number = 0; number < 1_200; number += 1)
    await stored.removals.set(`job-${number}`, removalOf(`job-${number}`, now + ((number * 7) % 1_200)));

  const listed = await records().latest();

  expect(listed).toHaveLength(500);
  expect(listed.map(({ at }) => at - now)).toEqual(Array.from({ length: 500 }, (_, index) => 1_199 - index));
});

it('the removals of each community are counted by the day', async () => {
  for (let count = 0; count < 200; count += 1) expect(await records().admit('web:room')).toBe(true);

  expect(await records().admit('web:room')).toBe(false);
  expect(await records().admit('web:other')).toBe(true);

  now += DAY_MS;

  expect(await records().admit('web:room')).toBe(true);
});
