import type { Clock } from '../../base/clock.ts';
import { createOncePer } from '../../base/once-per.ts';

/** False for what was already reported within the last hour. */
export function createOnceAnHour(clock: Pick<Clock, 'now'>): (what: string) => boolean {
  return createOncePer(clock, 60 * 60_000);
}
