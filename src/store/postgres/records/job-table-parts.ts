import type { Clock } from '../../../base/clock.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../database/database.ts';

export interface JobTableParts {
  readonly database: Pick<Database, 'query'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly now: () => number;
  readonly after: Clock['after'];
  /** Of this process; another one after it was taken for dead. */
  readonly memberId: () => string;
  /** Whether every process that lives has joined again since this one did. */
  readonly isSettled: () => boolean;
}
