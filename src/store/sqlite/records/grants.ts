import { dayOf } from '../../../orchestrator/job/day.ts';
import { eventOf, GRANT, type GrantPlace, type GrantRecords, MOST_GRANTS } from '../../records/grants.ts';
import { openedOf } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../file/database.ts';
import type { Usage } from './usage.ts';

export interface GrantTable extends GrantRecords {
  /** `left`, inside a transaction. */
  leftOf(community: string, person: string): number;
  /** The person as stored (hashed). */
  eraseOf(person: string): void;
  /** Those that were used up before, and that no job can give back to any more. */
  expire(before: number, limit: number): number;
}

/** A damaged number is none. */
const creditsIn = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;

export function createGrants(
  { sql, transaction, removed }: Database,
  seal: Seal,
  blind: (id: string) => string,
  usage: Pick<Usage, 'count'>,
): GrantTable {
  const one = sql.prepare('SELECT credits FROM grants WHERE community = ? AND person = ?');
  const isHandled = sql.prepare('SELECT 1 FROM removed WHERE origin = ?');
  const handled = sql.prepare('INSERT OR REPLACE INTO removed (origin, at) VALUES (?, ?)');
  const people = sql.prepare('SELECT count(*) AS n FROM grants WHERE community = ? AND credits > 0');
  const put = sql.prepare(`
    INSERT INTO grants (community, person, id, credits, at, body) VALUES (?, ?, hex(randomblob(8)), ?, ?, ?)
    ON CONFLICT (community, person) DO UPDATE SET credits = excluded.credits, at = excluded.at, body = excluded.body
  `);
  const setGiven = sql.prepare(`
    INSERT INTO usage (day, community, person, given) VALUES (?, ?, ?, ?)
    ON CONFLICT (day, community, person) DO UPDATE SET given = excluded.given
  `);
  const drop = sql.prepare('DELETE FROM grants WHERE community = ? AND person = ?');
  const all = sql.prepare(
    'SELECT credits, body FROM grants WHERE community = ? AND credits > 0 ORDER BY at DESC LIMIT ?',
  );
  const erase = sql.prepare('DELETE FROM grants WHERE person = ?');
  const expire = sql.prepare(`
    DELETE FROM grants WHERE (community, person) IN
      (SELECT community, person FROM grants WHERE credits = 0 AND at < ? LIMIT ?)
  `);
  const leftOf = (community: string, person: string): number =>
    creditsIn(one.get(blind(community), blind(person))?.credits);
  /** Of a day: what moderators have given, and what the person has used of the day's credits and of grants. */
  const ofDay = (day: string, { community, ids, person }: GrantPlace) => {
    let [daily, granted] = [0, 0];
    for (const count of ids.map((id) => usage.count(day, id, person))) {
      granted += count.granted ?? 0;
      daily += count.reserved + count.spent - (count.granted ?? 0);
    }
    return { given: usage.count(day, community, person).given ?? 0, daily, granted };
  };

  return {
    leftOf,
    add: async (grant) =>
      transaction(() => {
        const { community, person, credits, most, at, byModerator } = grant;
        const [where, event, left] = [blind(community), blind(eventOf(grant)), leftOf(community, person)];
        if (isHandled.get(event) !== undefined) return { outcome: 'added', left };
        const { given, daily } = ofDay(dayOf(at), grant);
        const rest = Math.min(
          most - left,
          ...(byModerator === undefined
            ? []
            : [most - given - Math.max(byModerator.allowance, daily - byModerator.fromOwner)]),
        );
        if (credits > rest) return { outcome: 'most', left, rest: Math.max(0, rest) };
        if (left === 0 && Number(people.get(where)?.n) >= MOST_GRANTS) return { outcome: 'full', left };
        put.run(where, blind(person), left + credits, Math.floor(at), seal.seal(person, GRANT));
        if (byModerator !== undefined) setGiven.run(dayOf(at), where, blind(person), given + credits);
        handled.run(event, Math.floor(at));
        return { outcome: 'added', left: left + credits };
      }),
    takeBack: async (grant) =>
      transaction(() => {
        const { community, person, at } = grant;
        const left = leftOf(community, person);
        const { given, granted } = ofDay(dayOf(at), grant);
        const unused = Math.min(left, given - granted);
        if (unused > 0) setGiven.run(dayOf(at), blind(community), blind(person), given - unused);
        drop.run(blind(community), blind(person));
        removed();
        return left;
      }),
    left: async (community, person) => leftOf(community, person),
    list: async (community) =>
      all.all(blind(community), MOST_GRANTS).flatMap(({ credits, body }) => {
        const person = openedOf(seal, body, GRANT);
        return person === undefined ? [] : [{ person, credits: creditsIn(credits) }];
      }),
    eraseOf(person) {
      removed();
      erase.run(person);
    },
    expire: (before, limit) => Number(expire.run(before, limit).changes),
  };
}
