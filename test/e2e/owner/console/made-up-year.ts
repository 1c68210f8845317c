import { bucketOf } from '../../../../src/app/figures/series.ts';
import {
  ALL,
  CREDITS,
  ERRORS,
  type FigureAddition,
  SCALE_MS,
  type Scale,
  type Sums,
  startOf,
} from '../../../../src/store/tables/figures.ts';
import type { Store } from '../../../../src/store/tables/store.ts';

const DAY_MS = 86_400_000;
const COUNTS: Readonly<Record<Scale, number>> = { minute: 25 * 60, hour: 31 * 24, day: 366 };
const SIZES: Readonly<Record<Scale, number>> = { minute: 3, hour: 180, day: 4_300 };
const KINDS = ['face-swap-v6', 'self-prompt', 'multi-swap-realistic', 'single-frame-video'];
const FAILURES = ['photo-invalid', 'refused', 'generation-failed', 'deadline'];

/** Busy at noon and more every month; the same each time. */
function sumsAt(scale: Scale, at: number, index: number): Sums {
  const wave = scale === 'day' ? 1 : 1 + 0.7 * Math.sin(((at % DAY_MS) / DAY_MS) * 2 * Math.PI - 2);
  const trend = scale === 'day' ? 0.3 + (0.7 * index) / COUNTS.day : 1;
  const weekend = new Date(at).getUTCDay() % 6 === 0 ? 1.4 : 1;
  const jobs = Math.round(SIZES[scale] * wave * trend * weekend);
  if (jobs === 0) return {};
  const took = 9_000 + 2_500 * Math.sin(index / 9);
  const reasons = Object.fromEntries(
    FAILURES.map((code, which) => [
      code,
      Math.floor(jobs / (40 * (which + 1))) + (index % 11 === which ? 1 : 0),
    ]),
  );
  const communities = Array.from({ length: 20 }, (_, which) => [
    `discord:${1000 + which}`,
    Math.floor((jobs * 2) / (which + 1) ** 1.2),
  ]);
  return {
    jobs: {
      polls: Math.round(jobs * (1.6 + 0.3 * Math.sin(index / 5))),
      cancelled: Math.floor(jobs / 60),
    },
    done: Object.fromEntries(KINDS.map((kind, which) => [kind, Math.round(jobs / (which + 1.7))])),
    failed: { 'face-swap-v6': Object.values(reasons).reduce((all, each) => all + each, 0) },
    reasons,
    took: { [bucketOf(took)]: Math.ceil(jobs * 0.9), [bucketOf(took * 4)]: Math.ceil(jobs * 0.1) },
    unseen: {
      [bucketOf(700)]: Math.ceil(jobs * 0.9),
      [bucketOf(2_600 + 400 * Math.sin(index / 3))]: Math.ceil(jobs * 0.1),
    },
    [CREDITS]: { [ALL]: jobs * 3, ...Object.fromEntries(communities) },
    [ERRORS]: { 'face-swap-v6: unavailable': index % 7 },
  };
}

/** Figures of more than a year. */
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
      // The last of them was yesterday: nothing of today may lie ahead of the clock.
      const outages =
        scale === 'day' && index % 40 === 4
          ? { outages: [outage, { what: 'discord', from: at + 7_200_000, until: at + 30_000_000 }] }
          : {};
      additions.push({ scale, at, sums: sumsAt(scale, at, index), ...outages });
    }
  }
  const recent = { what: 'telegram', from: now - 40 * 60_000, until: now - 25 * 60_000 };
  additions.push({ scale: 'day', at: now, outages: [recent] });
  for (let from = 0, number = 1; from < additions.length; from += 500, number += 1)
    await figures.add({ writer: 'made-up', number, at: now, additions: additions.slice(from, from + 500) });
}
