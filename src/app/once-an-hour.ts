import type { Clock } from '../clock.ts';
import { keepLatest } from '../keep-latest.ts';

const hourMs = 60 * 60_000;
const mostRemembered = 5_000;

/** Whether something is news: what was told of within the last hour is not. */
export const createOnceAnHour = (clock: Pick<Clock, 'now'>): ((what: string) => boolean) => {
  const told = new Map<string, number>();
  return (what) => {
    if (clock.now() - (told.get(what) ?? Number.NEGATIVE_INFINITY) < hourMs) return false;
    told.delete(what);
    told.set(what, clock.now());
    keepLatest(told, mostRemembered);
    return true;
  };
};
