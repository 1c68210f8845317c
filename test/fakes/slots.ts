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

/** How many jobs run: by the counter of all, by the counters of each person, and by the jobs themselves. */
export function slots(): number[] {
  const sql = new DatabaseSync(world.file);
  const numbers = [
    "SELECT running AS n FROM slots WHERE person = ''",
    "SELECT coalesce(sum(running), 0) AS n FROM slots WHERE person <> ''",
    'SELECT count(*) AS n FROM jobs WHERE slot = 1',
  ].map((text) => Number(sql.prepare(text).get()?.n));
  sql.close();
  return numbers;
}
