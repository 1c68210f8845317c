import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { Credentials } from '../job/job-kinds.ts';
import type { JobRecords } from '../job/records.ts';
import type { ActiveJobs } from '../live/active-jobs.ts';
import type { CardRefresh } from '../live/card-refresh.ts';
import type { Timing } from '../schedule/timing.ts';
import type { Gate } from '../service/service-gate.ts';
import type { Ports, Service } from '../steps/effects.ts';
import type { ByteBudgets } from './byte-budgets.ts';
import type { SaveJob } from './save-job.ts';
import type { StatusCalls } from './status-calls.ts';
import type { StoreWatch } from './store-watch.ts';

export interface Deadlines {
  /** From submission to the result. */
  readonly imageMs: number;
  readonly videoMs: number;
  /** From acceptance to submission. */
  readonly waitingMs: number;
  /** From the end to the card that says it, at the most. */
  readonly deliveryMs: number;
  /** From the end to the first try to show a result in its person's own messages, where its card refuses it. */
  readonly elsewhereMs: number;
}

export interface WorkerParts {
  readonly records: JobRecords;
  readonly save: SaveJob;
  readonly watch: Pick<StoreWatch, 'isWell' | 'isStoreFailure' | 'writeLater'>;
  readonly service: Service;
  readonly statusCalls: StatusCalls;
  readonly ports: Ports;
  readonly gates: Readonly<Record<Credentials, Gate>>;
  readonly timing: Timing;
  readonly activeJobs: ActiveJobs;
  readonly cardRefresh: Pick<CardRefresh, 'quiet'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly deadlines: Deadlines;
  readonly bytes: ByteBudgets;
}
