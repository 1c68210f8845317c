import type { Clock } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import type { Log } from '../log/log.ts';
import type { ByteBudgets } from './engine/byte-budgets.ts';
import type { AcceptanceLimits, ErasureRecords, JobRecords, UsageRecords } from './job/records.ts';
import type { ModelStore } from './schedule/timing.ts';
import type { Deadlines, Ports, Service } from './steps/effects.ts';

export interface OrchestratorOptions {
  readonly store: {
    readonly jobs: JobRecords;
    readonly usage: UsageRecords;
    readonly erasures: ErasureRecords;
    /** Removes what has expired, a little at a time; says whether more is left. */
    sweep(): Promise<boolean>;
    /** Rejects when nothing can be written. */
    tryToWrite(): Promise<void>;
  };
  /** The processes that share the store; absent: there is only this one. */
  readonly members?: Members;
  /** What was learned of durations. */
  readonly models: ModelStore;
  readonly client: Service;
  /** Calls to the service that wait for their turn. */
  readonly callsWaiting: (lane: 'submit' | 'poll') => number;
  readonly ports: Ports;
  readonly limits: AcceptanceLimits & {
    readonly serviceConcurrentJobs: number;
    readonly serviceCallsPerSecond: number;
  };
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly deadlines?: Partial<Deadlines>;
  /** Least time between two polls of one job. */
  readonly floorsMs?: Readonly<Record<'image' | 'video', number>>;
  readonly bytesInHand?: Partial<ByteBudgets>;
}

const MINUTE_MS = 60_000;

export const DEFAULT_DEADLINES: Deadlines = {
  imageMs: 10 * MINUTE_MS,
  videoMs: 30 * MINUTE_MS,
  waitingMs: 6 * 60 * MINUTE_MS,
  deliveryMs: 7 * 24 * 60 * MINUTE_MS,
  elsewhereMs: 6 * 60 * MINUTE_MS,
};
