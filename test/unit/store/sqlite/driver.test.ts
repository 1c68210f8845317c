import { constants } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { driverOf } from '../../../../src/store/sqlite/driver.ts';
import { openDatabase } from '../../../../src/store/sqlite/file/database.ts';

it('a statement with a limit is compiled once, however often it runs', async () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const { query } = driverOf(database, Date.now);
  const readJobs = (limit: number) =>
    query('SELECT id FROM jobs WHERE due <= $1 ORDER BY due LIMIT $2', [limit, limit]);
  let compiled = 0;
  // SQLite asks its authorizer whenever it compiles a statement. A new authorizer makes it compile each one again, once.
  database.sql.setAuthorizer(() => {
    compiled += 1;
    return constants.SQLITE_OK;
  });
  await readJobs(1);
  expect(compiled).toBeGreaterThan(0);

  compiled = 0;
  await readJobs(2);
  await readJobs(3);

  expect(compiled).toBe(0);
});
