import type { Log } from '../../log/log.ts';
import type { DamagedRecord } from '../../store/records/damaged-records.ts';

/** Records that cannot be read: each is in the log, and the owner hears that there are any. */
export interface DamageNotices {
  found(record: DamagedRecord): void;
  /** From now on the owner can be told, also of what was found before. */
  tellBy(tell: () => void): void;
}

/** The first ones show what it is; a store that is damaged as a whole must not fill the log. */
const mostLogged = 100;

export const createDamageNotices = (log: Pick<Log, 'error'>): DamageNotices => {
  let count = 0;
  let tell: (() => void) | undefined;
  return {
    found(record) {
      count += 1;
      if (count <= mostLogged) {
        const more = record.kind === 'job' ? '; its card can no longer be updated' : '';
        log.error({ record }, `a record cannot be read and was set aside${more}`);
      }
      tell?.();
    },
    tellBy(how) {
      tell = how;
      if (count > 0) how();
    },
  };
};
