import { DAY_MS } from '../../base/clock.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { DamagedRecord } from './damaged.ts';
import type { Base, Query } from './driver.ts';
import { EVERYBODY, partOf } from './usage.ts';

/** No counter comes near it, and sums of so many fit into every number. */
const MOST = 1_000_000_000_000;

interface Counted {
  /** The columns that name a row. */
  readonly key: string;
  readonly columns: readonly string[];
  /** Only what is of these days is counted on. */
  readonly since?: 'day >= $1';
}

/** Columns that are counted up and down, by table. */
const COUNTED: Readonly<Record<string, Counted>> = {
  grants: { key: 'community, person', columns: ['credits'] },
  usage: {
    key: 'day, community, person',
    columns: ['reserved', 'spent', 'granted', 'given', 'jobs'],
    since: 'day >= $1',
  },
  totals: { key: 'day, part', columns: ['credits'], since: 'day >= $1' },
  tallies: { key: 'community, what, hour, name', columns: ['count', 'credits'] },
};
/** A total can be below zero for a while: sums of a day that has been deleted go back. */
const leastOf = (table: string): number => (table === 'totals' || table === 'tallies' ? -MOST : 0);

/**
 * Sets counters that cannot be true to zero, once when the store is opened: every sum with one of them would fail, for everybody
 * whom it counts. Sums are made again from what they add up.
 */
export async function repairCounters(
  { driver: { transaction }, now }: Pick<Base, 'driver' | 'now'>,
  report: (record: DamagedRecord) => void,
): Promise<void> {
  const found = await transaction(async (query) => {
    const all: DamagedRecord[] = [];
    for (const [table, { key, columns, since }] of Object.entries(COUNTED)) {
      const isWrong = (column: string): string => `${column} NOT BETWEEN ${leastOf(table)} AND ${MOST}`;
      const set = columns.map((name) => `${name} = CASE WHEN ${isWrong(name)} THEN 0 ELSE ${name} END`);
      const rows = await query(
        `UPDATE ${table} SET ${set.join(', ')}
         WHERE ${since ?? 'true'} AND (${columns.map(isWrong).join(' OR ')}) RETURNING ${key}`,
        since === undefined ? [] : [dayOf(now() - DAY_MS)],
      );
      for (const row of rows) {
        if (table === 'usage' && row.person === EVERYBODY) await addPeople(query, row.day, row.community);
        if (table === 'totals') await addCommunities(query, row.day, row.part);
        all.push({ kind: table, id: Object.values(row).join(' '), why: 'a number that cannot be true' });
      }
    }
    return all;
  });
  for (const each of found) report(each);
}

/** What the people of a community have used on a day becomes its sum. */
async function addPeople(query: Query, day: unknown, community: unknown): Promise<void> {
  const sums = ['reserved', 'spent', 'jobs'].map(
    (name) => `${name} = (SELECT coalesce(sum(${name}), 0) FROM usage
      WHERE day = $1 AND community = $2 AND person <> '${EVERYBODY}')`,
  );
  const where = `day = $1 AND community = $2 AND person = '${EVERYBODY}'`;
  await query(`UPDATE usage SET ${sums.join(', ')} WHERE ${where}`, [day, community]);
}

/** What the communities of a part have used on a day becomes its total. */
async function addCommunities(query: Query, day: unknown, part: unknown): Promise<void> {
  const sums = await query(
    `SELECT community, reserved + spent AS used FROM usage WHERE day = $1 AND person = '${EVERYBODY}'`,
    [day],
  );
  const mine = sums.filter(({ community }) => partOf(String(community)) === Number(part));
  const total = mine.reduce((sum, { used }) => sum + Number(used), 0);
  await query('UPDATE totals SET credits = $3 WHERE day = $1 AND part = $2', [day, part, total]);
}
