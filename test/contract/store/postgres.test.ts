import { afterAll, describe } from 'vitest';
import { postgresUrl } from '../../fakes/postgres.ts';
import { createPostgres } from './postgres-driver.ts';
import { storeTests } from './suite.ts';

describe.skipIf(postgresUrl === undefined)('PostgreSQL', () => {
  const postgres = createPostgres();
  afterAll(() => postgres.end());
  storeTests(postgres);
});
