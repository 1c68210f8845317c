import { createRepeat, waitAtMost } from '../../base/clock.ts';
import type { FaceCheckEvent } from '../../command/face-check-port.ts';
import type { Log } from '../../log/log.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';
import {
  type FigureAddition,
  type FigureBatch,
  type OutageInterval,
  SCALE_MS,
  SCALES,
  type Scale,
  type Sums,
  startOf,
} from '../../store/tables/figures.ts';
import { createOutageWatch } from './outage-watch.ts';
import { createReadFigures, type FiguresParts, settledCredits } from './read-figures.ts';
import { addSums, creditSumsOf, sumsOfError, sumsOfJob } from './series.ts';

/** How the program is doing, kept in the store: counted in memory and written every ten seconds. */
export type Figures = ReturnType<typeof createFigures>;

const EVERY_MS = 10_000;
/** At the end; a store that is away must not delay it. */
const LAST_WRITE_MS = 2_000;

/**
 * A batch that may or may not have arrived is sent again as it was, and the store adds it once. What a process has counted when
 * it is killed is lost: figures are too low by ten seconds then, never too high.
 */
export function createFigures(
  parts: FiguresParts & {
    readonly log: Pick<Log, 'warn'>;
    /** Unique to this process. */
    readonly writer: string;
  },
) {
  const { records, usage, clock, log, writer, failing } = parts;
  let open = createOpenBatch();
  let sent: FigureBatch | undefined;
  let number = 0;
  let settledOn: string | undefined;
  let isUnwritten = false;
  let isStarted = false;
  const watch = createOutageWatch(clock, failing);

  const send = async (batch: FigureBatch | undefined): Promise<void> => {
    sent = batch;
    if (batch !== undefined) await records.add(batch);
    sent = undefined;
  };
  const batchOf = (additions: FigureBatch['additions']): FigureBatch | undefined => {
    if (additions.length === 0) return undefined;
    number += 1;
    return { writer, number, at: clock.now(), additions };
  };
  const settle = async (): Promise<void> => {
    const today = dayOf(clock.now());
    if (settledOn === today) return;
    await send(batchOf(await settledCredits(records, usage, clock.now())));
    settledOn = today;
  };
  const write = async (): Promise<void> => {
    try {
      await send(sent);
      open.outages.push(...watch.take());
      const { additions } = open;
      open = createOpenBatch();
      await send(batchOf(additions()));
      await settle();
      isUnwritten = false;
    } catch (error) {
      if (!isUnwritten) log.warn({ err: error }, 'figures could not be written; they are written later');
      isUnwritten = true;
    }
  };
  const writes = createRepeat(clock, EVERY_MS, write);

  return {
    finished(job: FinalJob): void {
      const now = clock.now();
      open.count(now, sumsOfJob(job));
      open.count(now, creditSumsOf(job), Date.parse(job.day));
    },
    callFailed: (error: unknown): void => open.count(clock.now(), sumsOfError(error)),
    faceChecked: (event: FaceCheckEvent): void => open.count(clock.now(), { looks: { [event]: 1 } }),
    /** A platform will never show an end of a job. */
    refused: (platform: string): void => open.count(clock.now(), { refused: { [platform]: 1 } }),
    read: createReadFigures(parts, () => [
      ...(sent?.additions ?? []).flatMap(({ outages = [] }) => outages),
      ...open.outages,
      ...watch.seen(),
    ]),
    /** Starts to watch for outages and to write. */
    start(): void {
      isStarted = true;
      watch.start();
      writes.start();
    },
    async stop(): Promise<void> {
      // The start came to nothing.
      if (!isStarted) return;
      void watch.stop();
      await waitAtMost(clock, LAST_WRITE_MS, writes.stop().then(write));
    },
  };
}

/** While the store is away the earliest rows of a scale are given up. */
const MOST_ROWS: Readonly<Record<Scale, number>> = { minute: 60, hour: 48, day: 32 };
const MOST_NAMES = 200;

/** What was counted and is not stored yet. */
function createOpenBatch() {
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
    addSums(row, sums, MOST_NAMES);
  };

  return {
    /** In the rows of all scales. `day`: when the day began that it is counted on, if that may be another. */
    count(at: number, sums: Sums, day = at): void {
      for (const scale of SCALES) add(scale, scale === 'day' ? day : at, sums);
    },
    outages,
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
