import { machineTime } from '../../../base/clock.ts';
import type { SharedPace } from '../../../base/members/members.ts';
import type { Query } from '../../tables/driver.ts';

/** Reserves time by the database's clock, and says until when. Unused time gives no credit; a row far ahead is of a clock that was set back. */
const RESERVE = `
INSERT INTO pace AS p (service, next)
VALUES ($1, clock_timestamp() + interval '1 second' + $2 * interval '1 millisecond')
ON CONFLICT (service) DO UPDATE SET next =
  greatest(least(p.next, clock_timestamp() + interval '1 minute'), clock_timestamp()) + $2 * interval '1 millisecond'
RETURNING extract(epoch FROM next)::float8 * 1000 AS end, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`;

/** No two clocks run apart faster than this. */
const DRIFT = 0.001;

/** Reserves time for calls to a service, so that all processes together keep its pace. */
export function createSharedPace(query: Query, service: string, passed = machineTime.passed): SharedPace {
  /** How far the database's clock is ahead of ours, at least and at most: it was read between request and answer. */
  let ahead = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, at: 0 };

  const compareClocks = (now: number, sent: number, received: number): void => {
    const drift = (received - ahead.at) * DRIFT;
    const least = Math.max(ahead.least - drift, now - received);
    const most = Math.min(ahead.most + drift, now - sent);
    const isClockSet = least > most;
    ahead = isClockSet
      ? { least: now - received, most: now - sent, at: received }
      : { least, most, at: received };
  };

  return {
    async reserve(ms) {
      const sent = passed();
      const [row] = await query(RESERVE, [service, ms]);
      const received = passed();
      compareClocks(Number(row?.now), sent, received);
      return {
        delayMs: Number(row?.end) - ms - ahead.least - received,
        lateMs: ahead.most - ahead.least,
      };
    },
  };
}
