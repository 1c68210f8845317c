import { eventOf, GRANT, type GrantRecords, MOST_GRANTS } from '../../records/grants.ts';
import { openedOf } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../file/database.ts';

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
): GrantTable {
  const one = sql.prepare('SELECT credits FROM grants WHERE community = ? AND person = ?');
  const isHandled = sql.prepare('SELECT 1 FROM removed WHERE origin = ?');
  const handled = sql.prepare('INSERT OR REPLACE INTO removed (origin, at) VALUES (?, ?)');
  const people = sql.prepare('SELECT count(*) AS n FROM grants WHERE community = ? AND credits > 0');
  const put = sql.prepare(
    'INSERT OR REPLACE INTO grants (community, person, credits, at, body) VALUES (?, ?, ?, ?, ?)',
  );
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

  return {
    leftOf,
    add: async (grant) =>
      transaction(() => {
        const { community, person, credits, most, at } = grant;
        const [where, event, left] = [blind(community), blind(eventOf(grant)), leftOf(community, person)];
        if (isHandled.get(event) !== undefined) return { outcome: 'added', left };
        if (left + credits > most) return { outcome: 'most', left };
        if (left === 0 && Number(people.get(where)?.n) >= MOST_GRANTS) return { outcome: 'full', left };
        put.run(where, blind(person), left + credits, Math.floor(at), seal.seal(person, GRANT));
        handled.run(event, Math.floor(at));
        return { outcome: 'added', left: left + credits };
      }),
    takeBack: async (community, person) =>
      transaction(() => {
        const left = leftOf(community, person);
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
