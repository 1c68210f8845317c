import type { Clock } from '../clock.ts';
import type { Engine } from './engine.ts';
import type { Job } from './job.ts';
import { createLocalEngine } from './local-engine.ts';
import type { DueKind, JobRecords } from './records.ts';

/** Looks queue for their share of calls; cards that have to say something do not queue behind them. */
export interface Engines extends Omit<Engine, 'expect'> {
  expect(job: Job): void;
}

export interface EnginesOptions {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'due' | 'nextDue'>;
  readonly step: (id: string, which: DueKind) => Promise<boolean>;
  readonly failed: (error: unknown) => void;
  readonly stepsAtOnce: number;
}

export function createEngines({ clock, records, step, failed, stepsAtOnce }: EnginesOptions): Engines {
  const engineFor = (which: DueKind): Engine =>
    createLocalEngine({
      clock,
      stepsAtOnce,
      work: {
        due: (now, limit) => records.due(which, now, limit),
        nextDue: (after) => records.nextDue(which, after),
        step: (id) => step(id, which),
        failed,
      },
    });
  const looks = engineFor('looks');
  const others = engineFor('others');
  return {
    start() {
      others.start();
      looks.start();
    },
    expect({ state, due }) {
      if (due !== undefined) (state === 'running' ? looks : others).expect(due);
    },
    get inHand() {
      return looks.inHand + others.inHand;
    },
    async stop() {
      await Promise.all([looks.stop(), others.stop()]);
    },
  };
}
