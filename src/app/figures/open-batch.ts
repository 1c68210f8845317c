import {
  type FigureAddition,
  type OutageInterval,
  SCALE_MS,
  SCALES,
  type Scale,
  type Sums,
  startOf,
} from '../../store/tables/figures.ts';

/** While the store is away the earliest rows of a scale are given up. */
const MOST_ROWS: Readonly<Record<Scale, number>> = { minute: 60, hour: 48, day: 32 };
const MOST_NAMES = 200;

/** What was counted and is not stored yet. */
export function createOpenBatch() {
  const rows: Readonly<Record<Scale, Map<number, Map<string, Map<string, number>>>>> = {
    minute: new Map(),
    hour: new Map(),
    day: new Map(),
  };
  const outages: OutageInterval[] = [];

  const add = (scale: Scale, at: number, sums: Sums): void => {
    if (Object.keys(sums).length === 0) return;
    const [ofScale, start] = [rows[scale], startOf(scale, at)];
    const row = ofScale.get(start) ?? new Map<string, Map<string, number>>();
    ofScale.set(start, row);
    if (ofScale.size > MOST_ROWS[scale]) ofScale.delete(Math.min(...ofScale.keys()));
    for (const [group, names] of Object.entries(sums)) {
      const into = row.get(group) ?? new Map<string, number>();
      row.set(group, into);
      for (const [name, sum] of Object.entries(names))
        if (into.has(name) || into.size < MOST_NAMES) into.set(name, (into.get(name) ?? 0) + sum);
    }
  };

  return {
    /** In the rows of all scales. */
    count(at: number, sums: Sums): void {
      for (const scale of SCALES) add(scale, at, sums);
    },
    /** `day`: when the day began that the credits are counted on. */
    countCredits(at: number, day: number, sums: Sums): void {
      add('minute', at, sums);
      add('hour', at, sums);
      add('day', day, sums);
    },
    addOutages(intervals: readonly OutageInterval[]): void {
      outages.push(...intervals);
    },
    outages: (): readonly OutageInterval[] => outages,
    additions(): readonly FigureAddition[] {
      const counted = SCALES.flatMap((scale) =>
        [...rows[scale]].map(([at, groups]) => ({ scale, at, sums: plain(groups) })),
      );
      return [...counted, ...outages.flatMap(byDay)];
    },
  };
}

const plain = (groups: ReadonlyMap<string, ReadonlyMap<string, number>>): Sums =>
  Object.fromEntries([...groups].map(([group, names]) => [group, Object.fromEntries(names)]));

/** A row has the part of its day. */
function byDay({ from, until, ...what }: OutageInterval): readonly FigureAddition[] {
  const parts: FigureAddition[] = [];
  for (let start = from; start <= until; start = startOf('day', start) + SCALE_MS.day) {
    const end = Math.min(until, startOf('day', start) + SCALE_MS.day - 1);
    parts.push({ scale: 'day', at: start, outages: [{ ...what, from: start, until: end }] });
  }
  return parts;
}
