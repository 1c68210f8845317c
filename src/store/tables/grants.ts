import { randomUUID } from 'node:crypto';
import { dayOf } from '../../orchestrator/job/day.ts';
import { openedOf } from '../records/seal.ts';
import type { Base, Query } from './driver.ts';
import { rememberOrigin } from './removed.ts';
import type { UsageTable } from './usage.ts';

/** The credits that a person has left of those that a community gave. */
export interface Grant {
  readonly person: string;
  readonly credits: number;
}

/** `most`: that would be too much; `rest` could be given now. */
type GrantOutcome =
  | { readonly outcome: 'added' | 'full'; readonly left: number }
  | { readonly outcome: 'most'; readonly left: number; readonly rest: number };

interface GrantPlace extends Pick<Grant, 'person'> {
  /** Its first id. */
  readonly community: string;
  /** All its ids: under each the person may have used credits today. */
  readonly ids: readonly string[];
}

interface NewGrant extends GrantPlace, Grant {
  readonly event: string;
  readonly at: number;
  /** The most credits that may be left of all grants together, and that moderators may give in a day, allowance included. */
  readonly most: number;
  /** Absent: an owner gives, which is not counted. */
  readonly byModerator?: {
    /** Daily credits of this person that moderators gave. */
    readonly allowance: number;
    /** Daily credits that the owner gave: a person who used more had them from moderators. */
    readonly fromOwner: number;
  };
}

/** People of one community with credits left. */
export const MOST_GRANTS = 200;
const GRANT = 'grant';

// Credits of jobs that end meanwhile may come back to it.
const PUT = `INSERT INTO grants AS g (community, person, id, credits, at, body) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (community, person) DO UPDATE SET credits = g.credits + excluded.credits, at = excluded.at, body = excluded.body`;
const LEFT = 'SELECT credits FROM grants WHERE community = $1 AND person = $2';
const TAKE = 'DELETE FROM grants WHERE community = $1 AND person = $2 RETURNING credits';
const GRANT_ID = 'SELECT id FROM grants WHERE community = $1 AND person = $2';
const RETURN_TO = 'UPDATE charges SET grants_of = $1, grant_id = $2 WHERE grants_of = $3 AND grant_id = $4';
const SET_GIVEN = `INSERT INTO usage (day, community, person, given) VALUES ($1, $2, $3, $4)
  ON CONFLICT (day, community, person) DO UPDATE SET given = excluded.given`;

export type GrantRecords = ReturnType<typeof createGrants>;

/**
 * Credits that a community gave to a person: used after the day's are gone, and they do not expire. Each change has the person's
 * lock; `add`, which counts the community's people, then has the community's too.
 */
export function createGrants({ driver, seal, blind }: Base, usage: UsageTable) {
  const { query: ask, transaction, sql } = driver;
  /** `left`, in a transaction; ids as stored. */
  const leftOf = async (query: Query, community: string, person: string): Promise<number> => {
    const [row] = await query(LEFT, [community, person]);
    return Number(row?.credits ?? 0);
  };
  /** Counts the credits of a day: given by moderators, used of the person's daily ones (`daily`), and used of grants (`granted`). */
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
    /** Adds credits, once for each event. `full`: too many people of this community have some. */
    add: (grant: NewGrant): Promise<GrantOutcome> =>
      transaction(async (query) => {
        const { community, person, credits, most, at, byModerator } = grant;
        // Beside the events of removed jobs.
        const [where, who, event] = [blind(community), blind(person), blind(`grant ${grant.event}`)];
        query.write(sql.lock('person', '$1'), [[who]]);
        query.write(sql.lock('grants', '$1'), [[where]]);
        const left = await leftOf(query, where, who);
        const [known] = await query('SELECT 1 FROM removed WHERE origin = $1', [event]);
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
        rememberOrigin(query, event, at);
        return { outcome: 'added', left: left + credits };
      }),
    /** Takes back what is left; jobs under way return nothing to it. Credits of that day that were not used can be given again. */
    takeBack: (grant: GrantPlace & { readonly at: number }): Promise<number> =>
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
    /**
     * Puts the credits that a person has under another id of their community (`from`) under its first one, where jobs then return
     * theirs, too. Safe to repeat.
     */
    follow: (from: string, { community, person, at }: Omit<GrantPlace, 'ids'> & { readonly at: number }) =>
      transaction(async (query) => {
        const [there, where, who] = [blind(from), blind(community), blind(person)];
        query.write(sql.lock('person', '$1'), [[who]]);
        const [left] = await query(GRANT_ID, [there, who]);
        if (left === undefined) return;
        const [known] = await query(GRANT_ID, [where, who]);
        const id = known?.id ?? left.id;
        // A grant of an older version has no id, and nothing returns to it.
        if (left.id !== '') query.write(RETURN_TO, [where, id, there, left.id]);
        const [gone] = await query(TAKE, [there, who]);
        query.write(PUT, [where, who, id, Number(gone?.credits), Math.floor(at), seal.seal(person, GRANT)]);
        const { given: more = 0 } = await usage.count(query, dayOf(at), there, who);
        if (more === 0) return;
        const { given = 0 } = await usage.count(query, dayOf(at), where, who);
        query.write(SET_GIVEN, [dayOf(at), there, who, 0]);
        query.write(SET_GIVEN, [dayOf(at), where, who, given + more]);
      }),
    left: (community: string, person: string) => leftOf(ask, blind(community), blind(person)),
    /** People of a community who have some left, at most `MOST_GRANTS`. */
    async list(community: string): Promise<readonly Grant[]> {
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
