import { bucketOf } from '../../../../src/app/figures/series.ts';
import {
  ALL_COMMUNITIES,
  CREDITS,
  ERRORS,
  type FigureAddition,
  SCALE_MS,
  type Scale,
  type Sums,
  startOf,
} from '../../../../src/store/tables/figures.ts';
import type { Store } from '../../../../src/store/tables/store.ts';

/** Figures of each scale. */
const COUNTS: Readonly<Record<Scale, number>> = { minute: 25 * 60, hour: 31 * 24, day: 366 };
/** Jobs in one figure of each scale. */
const SIZES: Readonly<Record<Scale, number>> = { minute: 3, hour: 180, day: 4_300 };
const COMMUNITIES = Array.from({ length: 20 }, (_, which) => `discord:${1000 + which}`);

function sumsAt(scale: Scale, index: number): Sums {
  const jobs = SIZES[scale] + (index % 5);
  const credits = COMMUNITIES.map((community, which) => [community, Math.floor((2 * jobs) / (which + 1))]);
  return {
    jobs: { polls: 2 * jobs, cancelled: 1 },
    done: { 'face-swap-v6': jobs, 'single-frame-video': 1 },
    failed: { 'face-swap-v6': 2 },
    reasons: { 'photo-invalid': 1, refused: 1 },
    took: { [bucketOf(9_000)]: jobs, [bucketOf(36_000)]: 1 },
    unseen: { [bucketOf(700)]: jobs, [bucketOf(2_600)]: 1 },
    [CREDITS]: { [ALL_COMMUNITIES]: 3 * jobs, ...Object.fromEntries(credits) },
    [ERRORS]: { 'face-swap-v6: unavailable': index % 7 },
  };
}

/** Fills the store with figures of more than a year. */
export async function fillYear({ figures }: Pick<Store, 'figures'>, now: number): Promise<void> {
  const additions: FigureAddition[] = [];
  for (const scale of ['minute', 'hour', 'day'] as const) {
    const last = startOf(scale, now);
    for (let index = 0; index < COUNTS[scale]; index += 1) {
      const at = last - (COUNTS[scale] - 1 - index) * SCALE_MS[scale];
      const outage = {
        what: 'service-key',
        reason: 'unavailable',
        from: at + 3_600_000,
        until: at + 9_000_000,
      };
      // No outage falls on the last day: an outage of today could lie ahead of the clock.
      const outages =
        scale === 'day' && index % 40 === 4
          ? { outages: [outage, { what: 'discord', from: at + 7_200_000, until: at + 30_000_000 }] }
          : {};
      additions.push({ scale, at, sums: sumsAt(scale, index), ...outages });
    }
  }
  const recent = { what: 'telegram', from: now - 40 * 60_000, until: now - 25 * 60_000 };
  additions.push({ scale: 'day', at: now, outages: [recent] });
  for (let from = 0, number = 1; from < additions.length; from += 500, number += 1)
    await figures.add({ writer: 'made-up', number, at: now, additions: additions.slice(from, from + 500) });
}
