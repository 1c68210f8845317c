import { afterAll, describe } from 'vitest';
import { postgresUrl } from '../../fakes/postgres.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { storeTests } from './suite/suite.ts';

describe.skipIf(postgresUrl === undefined)('PostgreSQL', () => {
  const postgres = createPostgres();
  afterAll(() => postgres.end());
  storeTests(postgres);
});
