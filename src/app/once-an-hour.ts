import type { Clock } from '../clock.ts';
import { createOnceIn } from '../command/once-in.ts';

/** Whether something is news: what was told of within the last hour is not. */
export const createOnceAnHour = (clock: Pick<Clock, 'now'>): ((what: string) => boolean) =>
  createOnceIn(clock, 60 * 60_000);
