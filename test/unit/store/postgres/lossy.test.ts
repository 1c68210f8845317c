import { expect, it } from 'vitest';
import { databaseAddressOf } from '../../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../../src/store/postgres/database/database.ts';
import { createTestDatabase } from '../../../fakes/postgres.ts';

it('a statement that may be lost does not wait for the disk, nor does its transaction; later statements wait', {
  tags: ['postgres'],
}, async () => {
  await using place = await createTestDatabase();
  await using database = openDatabase(databaseAddressOf(place.url));

  await database.query('CREATE TABLE counted (n integer); INSERT INTO counted VALUES (1)');
  const add = 'UPDATE counted SET n = n + 1 RETURNING n';
  const setting = "SELECT current_setting('synchronous_commit') AS commits";

  const within = await database.transaction(async (query) => {
    const before = await query(setting, []);
    const [row] = await query.lossy(add, []);
    return [...before, row, ...(await query(setting, []))];
  });

  expect(within).toMatchObject([{ commits: 'on' }, { n: 2 }, { commits: 'off' }]);

  expect(await database.query.lossy(add, [])).toMatchObject([{ n: 3 }]);
  expect(await database.query.unawaited(add, [])).toMatchObject([{ n: 4 }]);
  expect(await database.query(setting, [])).toEqual([{ commits: 'on' }]);
});
