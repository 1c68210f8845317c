import type { Clock } from '../../base/clock.ts';
import { createOncePer } from '../../base/once-per.ts';

/** False for what was already reported within the last hour. */
export const createOnceAnHour = (clock: Pick<Clock, 'now'>): ((what: string) => boolean) =>
  createOncePer(clock, 60 * 60_000);
