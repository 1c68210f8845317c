import { COPIED_TABLES } from './copy/copied-tables.ts';

/** What a store holds, in numbers: for the support file. */
export interface Survey {
  /** How many migrations have been applied. */
  readonly version: number;
  readonly bytes: number;
  /** Rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Jobs by state, as it is stored. */
  readonly jobs: Readonly<Record<string, number>>;
}

export const SURVEYED_TABLES: readonly string[] = COPIED_TABLES.map(({ name }) => name);

export const JOBS_BY_STATE = 'SELECT state, count(*) AS count FROM jobs GROUP BY state ORDER BY state';

export const byState = (rows: readonly Readonly<Record<string, unknown>>[]): Survey['jobs'] =>
  Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]));
