import { expect, it } from 'vitest';
import { createPostpone } from '../../../../../src/store/postgres/records/postpone.ts';
import { createFakeClock } from '../../../../fakes/clock.ts';

it('polls that found nothing new are written together after a moment of the clock', async () => {
  const clock = createFakeClock();
  const written: unknown[] = [];
  const postpone = createPostpone({
    database: {
      async query(_text, [ids] = []) {
        written.push(ids);
        return [{ id: 'a' }];
      },
    },
    memberId: () => '1',
    after: clock.after,
  });
  const poll = { version: 1, due: 1, body: '', keeps: false };
  const both = Promise.all([postpone({ ...poll, id: 'a' }), postpone({ ...poll, id: 'b' })]);
  await clock.advance(4);
  expect(written).toEqual([]);
  await clock.advance(1);
  expect(written).toEqual([['a', 'b']]);
  expect(await both).toEqual([true, false]);
});
