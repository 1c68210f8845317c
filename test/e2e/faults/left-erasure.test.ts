import { expect, it } from 'vitest';
import { doneJob, insert, person } from '../../contract/store/suite/driver.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';
import { createTestDatabase, postgresUrl } from '../../fakes/postgres.ts';
import { startInProcess } from './scale/in-process.ts';

it.skipIf(postgresUrl === undefined)(
  'what a process that ended in the middle of "Delete all my data" has left is deleted by another that was running before',
  async () => {
    await using opened = new AsyncDisposableStack();
    const database = opened.use(await createTestDatabase());
    const clock = createFakeClock();
    await startInProcess(opened, database.url, { clock });
    const dying = await openStoreAt(database.url, [], { now: clock.now });
    for (let number = 0; number < 200; number += 1)
      await insert(dying.store, doneJob({ id: `job-${number}`, origin: `event-${number}` }));
    const { erasures } = dying.store;
    await erasures.more(await erasures.begin(person), 50);
    await dying.close();
    const left = () =>
      database.query('SELECT (SELECT count(*)::int FROM jobs) AS jobs, finished FROM erasures');
    expect(await left()).toEqual([{ jobs: 150, finished: false }]);
    await eventually(async () => {
      await clock.advance(1_000);
      return (await left())[0]?.finished === true;
    }, 'the rest to be deleted');
    expect(await left()).toEqual([{ jobs: 0, finished: true }]);
  },
);
