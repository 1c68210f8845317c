import type { Log } from '../../log/log.ts';
import type { DamagedRecord } from '../../store/tables/damaged.ts';

/** A store that is damaged as a whole must not fill the log. */
const MOST_LOGGED = 100;

/** Logs records that cannot be read, and notifies the owner. */
export function createDamageNotices(log: Pick<Log, 'error'>) {
  let count = 0;
  let tell: (() => void) | undefined;
  return {
    found(record: DamagedRecord): void {
      count += 1;
      if (count <= MOST_LOGGED) {
        const more = record.kind === 'job' ? '; its card can no longer be updated' : '';
        log.error({ record }, `a record cannot be read and was set aside${more}`);
      }
      tell?.();
    },
    /** Sets how the owner is notified, also of records found before. */
    tellBy(how: () => void): void {
      tell = how;
      if (count > 0) how();
    },
  };
}
