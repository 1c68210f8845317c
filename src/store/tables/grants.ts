import { randomUUID } from 'node:crypto';
import { dayOf } from '../../orchestrator/job/day.ts';
import { eventOf, GRANT, type GrantPlace, type GrantRecords, MOST_GRANTS } from '../records/grants.ts';
import { openedOf } from '../records/seal/key-ring.ts';
import type { Seal } from '../records/seal/seal.ts';
import type { Driver, Query } from './driver.ts';
import { isRemembered, remember } from './removed.ts';
import type { UsageTable } from './usage.ts';

export interface GrantTable extends GrantRecords {
  /** `left`, in a transaction; ids as stored. */
  leftOf(query: Query, community: string, person: string): Promise<number>;
}

export interface GrantParts {
  readonly driver: Pick<Driver, 'query' | 'transaction' | 'sql' | 'removed'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly usage: Pick<UsageTable, 'count'>;
}

// Credits of jobs that end meanwhile may come back to it.
const PUT = `INSERT INTO grants AS g (community, person, id, credits, at, body) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (community, person) DO UPDATE SET credits = g.credits + excluded.credits, at = excluded.at, body = excluded.body`;
const LEFT = 'SELECT credits FROM grants WHERE community = $1 AND person = $2';
const TAKE = 'DELETE FROM grants WHERE community = $1 AND person = $2 RETURNING credits';
const SET_GIVEN = `INSERT INTO usage (day, community, person, given) VALUES ($1, $2, $3, $4)
  ON CONFLICT (day, community, person) DO UPDATE SET given = excluded.given`;

/** Each has the person's lock, then the community's. */
export function createGrants({ driver, seal, blind, usage }: GrantParts): GrantTable {
  const { query: ask, transaction, sql } = driver;
  const leftOf: GrantTable['leftOf'] = async (query, community, person) => {
    const [row] = await query(LEFT, [community, person]);
    return Number(row?.credits ?? 0);
  };
  /** Of a day: what moderators have given, and what the person has used of the day's credits and of grants. */
  const ofDay = async (query: Query, day: string, { community, ids, person }: GrantPlace) => {
    let [daily, granted] = [0, 0];
    for (const id of ids) {
      const count = await usage.count(query, day, blind(id), blind(person));
      granted += count.granted ?? 0;
      daily += count.reserved + count.spent - (count.granted ?? 0);
    }
    const { given = 0 } = await usage.count(query, day, blind(community), blind(person));
    return { given, daily, granted };
  };

  return {
    leftOf,
    add: (grant) =>
      transaction(async (query) => {
        const { community, person, credits, most, at, byModerator } = grant;
        const [where, who, event] = [blind(community), blind(person), blind(eventOf(grant))];
        query.write(sql.lock('person', '$1'), [[who]]);
        query.write(sql.lock('grants', '$1'), [[where]]);
        const left = await leftOf(query, where, who);
        const [known] = await query(`SELECT 1 WHERE ${isRemembered('$1')}`, [event]);
        if (known !== undefined) return { outcome: 'added', left };
        const { given, daily } = await ofDay(query, dayOf(at), grant);
        const rest = Math.min(
          most - left,
          ...(byModerator === undefined
            ? []
            : [most - given - Math.max(byModerator.allowance, daily - byModerator.fromOwner)]),
        );
        if (credits > rest) return { outcome: 'most', left, rest: Math.max(0, rest) };
        const [people] = await query(
          'SELECT count(*) AS n FROM grants WHERE community = $1 AND credits > 0',
          [where],
        );
        if (left === 0 && Number(people?.n) >= MOST_GRANTS) return { outcome: 'full', left };
        const body = seal.seal(person, GRANT);
        query.write(PUT, [where, who, randomUUID(), credits, Math.floor(at), body]);
        if (byModerator !== undefined) query.write(SET_GIVEN, [dayOf(at), where, who, given + credits]);
        remember(query, event, at);
        return { outcome: 'added', left: left + credits };
      }),
    takeBack: (grant) =>
      transaction(async (query) => {
        const [where, who] = [blind(grant.community), blind(grant.person)];
        query.write(sql.lock('person', '$1'), [[who]]);
        const [gone] = await query(TAKE, [where, who]);
        const left = Number(gone?.credits ?? 0);
        const { given, granted } = await ofDay(query, dayOf(grant.at), grant);
        const unused = Math.min(left, given - granted);
        if (unused > 0) query.write(SET_GIVEN, [dayOf(grant.at), where, who, given - unused]);
        driver.removed();
        return left;
      }),
    left: (community, person) => leftOf(ask, blind(community), blind(person)),
    async list(community) {
      const rows = await ask(
        'SELECT credits, body FROM grants WHERE community = $1 AND credits > 0 ORDER BY at DESC LIMIT $2',
        [blind(community), MOST_GRANTS],
      );
      return rows.flatMap(({ credits, body }) => {
        const person = openedOf(seal, body, GRANT);
        return person === undefined ? [] : [{ person, credits: Number(credits) }];
      });
    },
  };
}
