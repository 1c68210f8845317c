import { defined } from '../../base/defined.ts';
import { personKey } from '../../command/place.ts';
import type { JobKind } from '../../command/request.ts';
import type { Job, JobStatus } from '../job/job.ts';
import { type Credentials, credentialsOf } from '../job/job-kinds.ts';
import type { Slots } from '../queue/slots.ts';
import type { TimedJob, Timing } from '../schedule/timing.ts';
import type { Gate } from '../service/service-gate.ts';
import { type CardRefresh, type CardState, coarse, contentOf } from './card-refresh.ts';

/** What this process keeps of jobs that wait or run: just what their cards need between two polls. */
export interface ActiveJobs {
  /** Called after every write, and for every unfinished job at the start. */
  saved(job: Job): void;
  /** What its card can say now; rounded, because it need not be edited every second. */
  jobStatus(job: Pick<Job, 'id' | 'state' | 'request' | 'caller'>): JobStatus;
  cardState(id: string): CardState | undefined;
  /** The progress last shown: it goes into the record with the next poll. */
  shownProgress(id: string): number;
}

export interface ActiveJobsParts {
  readonly slots: Slots;
  readonly timing: Timing;
  readonly gates: Readonly<Record<Credentials, Gate>>;
  readonly cardRefresh: Pick<CardRefresh, 'follow' | 'hurry' | 'forget'>;
  readonly now: () => number;
}

interface Entry extends TimedJob {
  readonly state: Job['state'];
  readonly resting?: Job['resting'];
  readonly due?: number;
  shownProgress: number;
  shownRemainingMs?: number;
}

/** Of one job alone: its alias may have to be resolved at the other half of the service. */
const OWN_TROUBLE = {
  'service-credentials': { outage: 'credentials' },
  'service-address': { outage: 'address' },
  'service-unavailable': { outage: 'unavailable' },
  'service-busy': { resting: 'service-busy' },
  unknown: { resting: 'unknown' },
} as const satisfies Record<NonNullable<Job['resting']>, JobStatus>;

export function createActiveJobs({ slots, timing, gates, cardRefresh, now }: ActiveJobsParts): ActiveJobs {
  const entries = new Map<string, Entry>();
  /** What the first cards of opening jobs show. */
  const firstContents = new Map<string, string>();

  const forget = (id: string): void => {
    const entry = entries.get(id);
    slots.release(id);
    cardRefresh.forget(id);
    if (entry?.state === 'running') timing.ended(entry.request.kind);
    entries.delete(id);
    firstContents.delete(id);
  };

  const remember = (job: Job): void => {
    const known = entries.get(job.id);
    if (known?.state !== 'running' && job.state === 'running') timing.began(job.request.kind);
    if (known?.state === 'running' && job.state !== 'running') timing.ended(job.request.kind);
    const { state, resting, due, request, submittedAt, lastStatus, statusSince, waitingUntil, lastLookAt } =
      job;
    const entry: Entry = {
      state,
      request: { kind: request.kind },
      shownProgress: Math.max(known?.shownProgress ?? 0, job.shownProgress),
    };
    Object.assign(entry, { resting, due, submittedAt, lastStatus, statusSince, waitingUntil, lastLookAt });
    if (known?.shownRemainingMs !== undefined) entry.shownRemainingMs = known.shownRemainingMs;
    entries.set(job.id, entry);
    if (job.card === undefined) return;
    cardRefresh.follow(job.id, firstContents.get(job.id));
    firstContents.delete(job.id);
    if (known?.state !== state) cardRefresh.hurry(job.id);
  };

  const progressOf = (entry: Entry): JobStatus => {
    const { fraction, remainingMs } = timing.progress(
      entry,
      now(),
      entry.shownProgress,
      entry.shownRemainingMs,
    );
    entry.shownProgress = fraction;
    if (remainingMs === undefined) delete entry.shownRemainingMs;
    else entry.shownRemainingMs = remainingMs;
    return { progress: fraction, ...defined({ remainingMs }) };
  };

  const outageOf = (kind: JobKind): JobStatus['outage'] => gates[credentialsOf(kind)].outage();

  const waiting = (id: string, kind: JobKind): JobStatus => {
    const outage = outageOf(kind);
    const { resting, due = now() } = entries.get(id) ?? {};
    if (outage !== undefined || resting === undefined) return { ...slots.place(id), ...defined({ outage }) };
    const trouble = OWN_TROUBLE[resting];
    return 'outage' in trouble ? trouble : { ...trouble, waitMs: Math.max(1, due - now()) };
  };

  const describe = (id: string, state: Job['state'], kind: JobKind): JobStatus => {
    const entry = entries.get(id);
    if (state === 'waiting') return waiting(id, kind);
    if (state !== 'running' || entry === undefined) return {};
    return { ...progressOf(entry), ...defined({ outage: gates[credentialsOf(kind)].pollOutage() }) };
  };

  return {
    saved(job) {
      switch (job.state) {
        case 'waiting':
          remember(job);
          // It is queued again after its pause.
          if (job.resting !== undefined) slots.release(job.id);
          else slots.wait(job.id, personKey(job.caller), credentialsOf(job.request.kind), job.attempts > 0);
          return;
        case 'submitting':
        case 'running':
          slots.resume(job.id, personKey(job.caller));
          remember(job);
          return;
        default:
          forget(job.id);
      }
    },
    jobStatus({ id, state, request: { kind }, caller }) {
      if (state !== 'opening') return coarse(describe(id, state, kind));
      const place = slots.expected(personKey(caller), credentialsOf(kind));
      const jobStatus = coarse({ ...place, ...defined({ outage: outageOf(kind) }) });
      firstContents.set(id, contentOf({ state, jobStatus }));
      return jobStatus;
    },
    cardState(id) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      const { state, request } = entry;
      return { state, jobStatus: describe(id, state, request.kind) };
    },
    shownProgress: (id) => entries.get(id)?.shownProgress ?? 0,
  };
}
