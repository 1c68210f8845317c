import { dayOf } from '../../../orchestrator/job/day.ts';
import { eventOf, GRANT, type GrantRecords, MOST_GRANTS } from '../../records/grants.ts';
import { openedOf } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../database/database.ts';

export interface GrantParts {
  readonly database: Pick<Database, 'query'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
}

export function createGrants({ database: { query }, seal, blind }: GrantParts): GrantRecords {
  return {
    async add(grant) {
      const { community, person, ids, credits, most, at, byModerator } = grant;
      const [row] = await query(
        'SELECT * FROM add_grant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
        [
          blind(community),
          blind(person),
          credits,
          most,
          MOST_GRANTS,
          seal.seal(person, GRANT),
          blind(eventOf(grant)),
          Math.floor(at),
          dayOf(at),
          ids.map(blind),
          byModerator?.allowance ?? null,
          byModerator?.fromOwner ?? null,
        ],
      );
      const left = Number(row?.remaining);
      if (row?.outcome === 'most') return { outcome: 'most', left, rest: Math.max(0, Number(row.rest)) };
      return { outcome: row?.outcome === 'full' ? 'full' : 'added', left };
    },
    async takeBack({ community, person, ids, at }) {
      const [row] = await query('SELECT take_back_grant($1, $2, $3, $4) AS credits', [
        blind(community),
        blind(person),
        dayOf(at),
        ids.map(blind),
      ]);
      return Number(row?.credits);
    },
    async left(community, person) {
      const [row] = await query('SELECT credits FROM grants WHERE community = $1 AND person = $2', [
        blind(community),
        blind(person),
      ]);
      return Number(row?.credits ?? 0);
    },
    async list(community) {
      const rows = await query(
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
