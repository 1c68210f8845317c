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
      const { community, person, credits, most, at } = grant;
      const [row] = await query('SELECT * FROM add_grant($1, $2, $3, $4, $5, $6, $7, $8)', [
        blind(community),
        blind(person),
        credits,
        most,
        MOST_GRANTS,
        seal.seal(person, GRANT),
        blind(eventOf(grant)),
        Math.floor(at),
      ]);
      const outcome = (['most', 'full'] as const).find((each) => each === row?.outcome) ?? 'added';
      return { outcome, left: Number(row?.remaining) };
    },
    async takeBack(community, person) {
      const [row] = await query('DELETE FROM grants WHERE community = $1 AND person = $2 RETURNING credits', [
        blind(community),
        blind(person),
      ]);
      return Number(row?.credits ?? 0);
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
