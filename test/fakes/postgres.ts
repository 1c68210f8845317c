/** Databases of their own for tests with a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { postgresUrl } from '../needs.ts';

/** A database of one test, and a connection to it past the program. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** An empty database, which is dropped in the end, whoever is still connected. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `darkroom_test_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl ?? '');
  url.pathname = `/${name}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  // The drop of the database ends this connection.
  client.on('error', () => undefined);
  return {
    url: url.href,
    query: async (text, values) => (await client.query(text, values)).rows,
    async [Symbol.asyncDispose]() {
      await client.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
