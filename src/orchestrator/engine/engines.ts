import type { Clock } from '../../base/clock.ts';
import type { Job } from '../job/job.ts';
import type { DueKind, JobRecords } from '../job/records.ts';
import { createLocalEngine } from './due-jobs.ts';
import type { Engine } from './engine.ts';

/**
 * Looks queue for their share of calls, results for memory; cards that have to say something do not queue behind them.
 */
export interface Engines extends Omit<Engine, 'expect'> {
  expect(job: Job): void;
}

export interface EnginesOptions {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'due' | 'nextDue'>;
  readonly step: (id: string, which: DueKind) => Promise<boolean>;
  readonly failed: (error: unknown) => void;
  readonly stepsAtOnce: Readonly<Record<DueKind, number>>;
}

export const engineOf = (state: Job['state']): DueKind => {
  if (state === 'running') return 'looks';
  return state === 'delivering' ? 'results' : 'others';
};

export function createEngines({ clock, records, step, failed, stepsAtOnce }: EnginesOptions): Engines {
  const engineFor = (which: DueKind): Engine =>
    createLocalEngine({
      clock,
      stepsAtOnce: stepsAtOnce[which],
      work: {
        due: (now, limit) => records.due(which, now, limit),
        nextDue: (after) => records.nextDue(which, after),
        step: (id) => step(id, which),
        failed,
      },
    });
  const engines = {
    others: engineFor('others'),
    results: engineFor('results'),
    looks: engineFor('looks'),
  };
  const all = Object.values(engines);
  return {
    start() {
      for (const engine of all) engine.start();
    },
    expect({ state, due }) {
      if (due !== undefined) engines[engineOf(state)].expect(due);
    },
    get inHand() {
      return all.reduce((sum, engine) => sum + engine.inHand, 0);
    },
    async stop() {
      await Promise.all(all.map((engine) => engine.stop()));
    },
  };
}
