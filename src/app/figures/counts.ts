import type { Clock } from '../../base/clock.ts';
import type { FaceCheckEvent } from '../../command/face-check-port.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';
import type { ContentEvent } from '../../safety/content/check.ts';
import { type FigureAddition, SCALES, type Scale, type Sums, startOf } from '../../store/tables/figures.ts';
import { addSums, creditSumsOf, sumsOfError, sumsOfJob } from './series.ts';

export type FigureCounts = ReturnType<typeof createFigureCounts>;

/** While the store is away the earliest rows of a scale are given up. */
const MOST_ROWS: Readonly<Record<Scale, number>> = { minute: 60, hour: 48, day: 32 };
const MOST_NAMES = 200;

/** The sums of a row, by group and name. */
type Row = Map<string, Map<string, number>>;

const noRows = (): Readonly<Record<Scale, Map<number, Row>>> => ({
  minute: new Map(),
  hour: new Map(),
  day: new Map(),
});

/** The counts of this process, which stay in memory until they are taken to be stored. */
export function createFigureCounts({ now }: Pick<Clock, 'now'>) {
  let rows = noRows();

  const add = (scale: Scale, at: number, sums: Sums): void => {
    if (Object.keys(sums).length === 0) return;
    const [ofScale, start] = [rows[scale], startOf(scale, at)];
    const row: Row = ofScale.get(start) ?? new Map();
    ofScale.set(start, row);
    if (ofScale.size > MOST_ROWS[scale]) ofScale.delete(Math.min(...ofScale.keys()));
    addSums(row, sums, MOST_NAMES);
  };
  /** Counts in the rows of all scales. `day`: when the day began that it is counted on, if that may be another. */
  const count = (at: number, sums: Sums, day = at): void => {
    for (const scale of SCALES) add(scale, scale === 'day' ? day : at, sums);
  };

  return {
    finished(job: FinalJob): void {
      const at = now();
      count(at, sumsOfJob(job));
      count(at, creditSumsOf(job), Date.parse(job.day));
    },
    callFailed: (error: unknown): void => count(now(), sumsOfError(error)),
    faceChecked: (event: FaceCheckEvent): void => count(now(), { looks: { [event]: 1 } }),
    contentChecked: (event: ContentEvent): void => count(now(), { content: { [event]: 1 } }),
    /** A platform will never show an end of a job. */
    refused: (platform: string): void => count(now(), { refused: { [platform]: 1 } }),
    /** Takes everything that was counted since the last call. */
    take(): readonly FigureAddition[] {
      const taken = rows;
      rows = noRows();
      return SCALES.flatMap((scale) =>
        [...taken[scale]].map(([at, groups]) => ({ scale, at, sums: plain(groups) })),
      );
    },
  };
}

const plain = (groups: Row): Sums =>
  Object.fromEntries([...groups].map(([group, names]) => [group, Object.fromEntries(names)]));
