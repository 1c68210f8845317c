import type { Clock } from '../../base/clock.ts';
import { createOnceIn } from '../../base/once-per.ts';

/** Whether something is news: what was told of within the last hour is not. */
export const createOnceAnHour = (clock: Pick<Clock, 'now'>): ((what: string) => boolean) =>
  createOnceIn(clock, 60 * 60_000);
