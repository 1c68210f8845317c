// @module-tag slow
// @module-tag longest
import { afterAll, describe } from 'vitest';
import { createPostgres } from './suite/postgres-driver.ts';
import { storeTests } from './suite/suite.ts';

describe('PostgreSQL', { tags: ['postgres'] }, () => {
  const postgres = createPostgres();
  afterAll(() => postgres.end());
  storeTests(postgres);
});
