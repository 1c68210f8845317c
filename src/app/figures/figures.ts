import { createRepeat, waitAtMost } from '../../base/clock.ts';
import type { Counts } from '../../console/pages/shown-figures.ts';
import type { Log } from '../../log/log.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import {
  type FigureAddition,
  type FigureBatch,
  type OutageInterval,
  SCALE_MS,
  startOf,
} from '../../store/tables/figures.ts';
import type { FigureCounts } from './counts.ts';
import { createOutageWatch, type Failing } from './outage-watch.ts';
import { createReadFigures, type ReadFiguresDependencies, settledCredits } from './read-figures.ts';
import { createReadMonths } from './read-months.ts';
import { addUp, countsOf } from './series.ts';

/** How the program is doing, kept in the store: counted in memory and written every ten seconds. */
export type Figures = ReturnType<typeof createFigures>;

const EVERY_MS = 10_000;
/** The longest that a stop waits for the last write, because the store may be away. */
const LAST_WRITE_MS = 2_000;

/**
 * A batch that may or may not have arrived is sent again as it was, and the store adds it once. Counts in the memory of a process that is
 * killed are lost: figures are then too low by ten seconds, never too high.
 */
export function createFigures(
  parts: Omit<ReadFiguresDependencies, 'failing'> & {
    readonly counts: Pick<FigureCounts, 'take'>;
    readonly log: Pick<Log, 'warn'>;
    /** Unique to this process. */
    readonly writer: string;
  },
) {
  const { counts, records, usage, clock, log, writer } = parts;
  /** Outages that were not sent yet. */
  let outages: OutageInterval[] = [];
  let sent: FigureBatch | undefined;
  let number = 0;
  let settledOn: string | undefined;
  let isUnwritten = false;
  let isStarted = false;
  /** Nothing is known to fail before the start. */
  let failing = (): readonly Failing[] => [];
  const watch = createOutageWatch(clock, () => failing());

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
      outages.push(...watch.take());
      const additions = [...counts.take(), ...outages.flatMap(byDay)];
      outages = [];
      await send(batchOf(additions));
      await settle();
      isUnwritten = false;
    } catch (error) {
      if (!isUnwritten) log.warn({ err: error }, 'figures could not be written; they are written later');
      isUnwritten = true;
    }
  };
  const writes = createRepeat(clock, EVERY_MS, write);

  return {
    months: createReadMonths(parts),
    /** The counts of this day (UTC), but for the latest ten seconds. */
    async today(): Promise<Counts> {
      const now = clock.now();
      const rows = await records.read('day', startOf('day', now), now + 1);
      return countsOf(addUp(rows.map(({ sums }) => sums)));
    },
    read: createReadFigures({ ...parts, failing: () => failing() }, () => [
      ...(sent?.additions ?? []).flatMap(({ outages = [] }) => outages),
      ...outages,
      ...watch.seen(),
    ]),
    /** Starts to write, and to watch for outages. `fails`: what this process finds not to work. */
    start(fails: () => readonly Failing[]): void {
      isStarted = true;
      failing = fails;
      watch.start();
      writes.start();
    },
    async stop(): Promise<void> {
      // A program whose start failed has nothing to write.
      if (!isStarted) return;
      void watch.stop();
      await waitAtMost(clock, LAST_WRITE_MS, writes.stop().then(write));
    },
  };
}

/** A row has the part of its day. */
function byDay({ from, until, ...what }: OutageInterval): readonly FigureAddition[] {
  const parts: FigureAddition[] = [];
  for (let start = from; start <= until; start = startOf('day', start) + SCALE_MS.day) {
    const end = Math.min(until, startOf('day', start) + SCALE_MS.day - 1);
    parts.push({ scale: 'day', at: start, outages: [{ ...what, from: start, until: end }] });
  }
  return parts;
}
