import { DatabaseSync } from 'node:sqlite';
import { world } from './orchestrator-world.ts';

/** Time passes, and then the store is asked for nothing more for now. */
export async function settled(ms = 0): Promise<void> {
  await world.pass(ms);
  await world.quiet();
}

/** Changes the store of the running test's world past the program. */
export function changeStore(text: string): void {
  const sql = new DatabaseSync(world.file);
  sql.exec(text);
  sql.close();
}

/** How many jobs run, counted in three ways that must agree. */
export interface Slots {
  /** By the counter of all. */
  readonly inAll: number;
  /** By the counters of each person. */
  readonly ofPeople: number;
  /** By the jobs themselves. */
  readonly ofJobs: number;
}

/** Counts the running jobs of the running test’s world, in its store’s file. */
export function slots(): Slots {
  const sql = new DatabaseSync(world.file);
  const count = (text: string): number => Number(sql.prepare(text).get()?.n);
  const counted = {
    inAll: count("SELECT running AS n FROM slots WHERE person = ''"),
    ofPeople: count("SELECT coalesce(sum(running), 0) AS n FROM slots WHERE person <> ''"),
    ofJobs: count('SELECT count(*) AS n FROM jobs WHERE slot = 1'),
  };
  sql.close();
  return counted;
}
