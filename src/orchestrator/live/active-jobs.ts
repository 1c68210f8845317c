import { defined } from '../../base/defined.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import { turnKey } from '../../command/place.ts';
import type { JobKind } from '../../kinds/kinds.ts';
import { credentialsOf } from '../../kinds/kinds.ts';
import { isActive, type Job, type JobStatus } from '../job/job.ts';
import type { PlaceInLine } from '../job/records.ts';
import type { TimedJob } from '../schedule/timing.ts';
import type { JobContext } from '../steps/effects.ts';
import { type CardRefresh, type CardState, cardContentKey } from './card-refresh.ts';

/** This process's view of jobs that wait or run, see `createActiveJobs`. */
export type ActiveJobs = ReturnType<typeof createActiveJobs>;

interface Entry extends TimedJob {
  readonly version: number;
  readonly state: Job['state'];
  readonly resting: Job['resting'];
  readonly due: number | undefined;
  shownProgress: number;
  shownRemainingMs: number | undefined;
  /** When the job got its slot. */
  slotSince: number | undefined;
  /** Its photo is being looked at by this process. */
  isChecking: boolean;
  /** When to check whether another process has taken the job over. */
  checkAt: number;
}

/** Pause between two checks whether this process still follows a job. */
const CHECK_MS = 10_000;
/**
 * How many jobs that are no longer active are remembered: the answer to an earlier write of a job may come after that to its
 * last.
 */
const MOST_GONE = 10_000;

/** The estimate of a slot's duration before any job has finished: a picture takes some seconds. */
const FIRST_GUESS_MS = 15_000;
const LEAST_MS = 1_000;
const MEMORY = 0.1;
/** A longer duration says more about the clock than about the service, so it is ignored. */
const LONGEST_MS = 3_600_000;

/**
 * How a card shows why its job rests, where the gate reports no outage: the problem may be of this job alone, because its alias
 * may need the other credentials.
 */
const OWN_TROUBLE = {
  'service-credentials': { outage: 'credentials' },
  'service-address': { outage: 'address' },
  'service-unavailable': { outage: 'unavailable' },
  'service-busy': { resting: 'service-busy' },
  unchecked: { resting: 'unchecked' },
  unknown: { resting: 'unknown' },
} as const satisfies Record<NonNullable<Job['resting']>, JobStatus>;

/** Keeps in memory, for each job that waits or runs, the few fields that its card needs between two polls. */
export function createActiveJobs(common: JobContext, cardRefresh: CardRefresh) {
  const { records, limits, timing, gates, isShared } = common;
  const { now } = common.clock;
  /** Moving average of how long jobs keep their slots. */
  let keptMs = FIRST_GUESS_MS;
  const entries = new Map<string, Entry>();
  const goneAt = new Map<string, Job['version']>();
  /** The contents of the first cards of opening jobs, by job. */
  const firstContents = new Map<string, string>();

  const leftSlot = ({ slotSince = Number.NEGATIVE_INFINITY }: Entry): void => {
    const ms = now() - slotSince;
    if (ms < LONGEST_MS) keptMs += MEMORY * (ms - keptMs);
  };
  const forget = ({ id, version }: Pick<Job, 'id' | 'version'>): void => {
    const entry = entries.get(id);
    if (entry !== undefined) leftSlot(entry);
    goneAt.delete(id);
    goneAt.set(id, version);
    keepLatest(goneAt, MOST_GONE);
    cardRefresh.forget(id);
    if (entry?.state === 'running') timing.ended(entry.request.kind);
    entries.delete(id);
    firstContents.delete(id);
  };

  const remember = (job: Job): void => {
    const known = entries.get(job.id);
    if (known?.state !== 'running' && job.state === 'running') timing.began(job.request.kind);
    if (known?.state === 'running' && job.state !== 'running') timing.ended(job.request.kind);
    const { version, state, resting, due, submittedAt, lastStatus, statusSince, waitingUntil } = job;
    entries.set(job.id, {
      ...{ version, state, resting, due, submittedAt, lastStatus, statusSince, waitingUntil },
      lastLookAt: job.lastLookAt,
      request: { kind: job.request.kind },
      shownProgress: Math.max(known?.shownProgress ?? 0, job.shownProgress),
      shownRemainingMs: known?.shownRemainingMs,
      slotSince: state === 'waiting' ? undefined : (known?.slotSince ?? now()),
      checkAt: now() + CHECK_MS,
      isChecking: known?.isChecking === true && state === 'waiting',
    });
    // A job that returns to the line to rest has given its slot back.
    if (state === 'waiting' && resting !== undefined && known !== undefined) leftSlot(known);
    if (job.card === undefined) return;
    const shown = firstContents.get(job.id);
    cardRefresh.follow(job.id, shown);
    firstContents.delete(job.id);
    // A first card that was shown a moment ago already says that the job waits.
    if (known?.state !== state && (state !== 'waiting' || shown === undefined)) cardRefresh.hurry(job.id);
  };

  const progressOf = (entry: Entry): JobStatus => {
    const { fraction, remainingMs } = timing.progress(entry, now());
    entry.shownProgress = fraction;
    entry.shownRemainingMs = remainingMs;
    return { progress: fraction, ...defined({ remainingMs }) };
  };

  const outageOf = (kind: JobKind): JobStatus['outage'] => gates[credentialsOf(kind)].outage();

  /** A card without a place in line is better than none, so a failed read is ignored. */
  const placed = async (find: Promise<PlaceInLine | undefined>): Promise<JobStatus> => {
    const standing = await find.catch(() => undefined);
    if (standing === undefined) return {};
    const { position, own } = standing;
    const rounds = Math.max(position / limits.inAll, (own + 1) / limits.perPerson);
    return { position, waitMs: Math.ceil(rounds * Math.max(LEAST_MS, keptMs)) };
  };

  const waiting = async (id: string, kind: JobKind): Promise<JobStatus> => {
    const outage = outageOf(kind);
    const { resting, due = now(), isChecking } = entries.get(id) ?? {};
    if (isChecking) return { checking: true };
    if (outage !== undefined || resting === undefined)
      return { ...(await placed(records.standing(id))), ...defined({ outage }) };
    const trouble = OWN_TROUBLE[resting];
    return 'outage' in trouble ? trouble : { ...trouble, waitMs: Math.max(1, due - now()) };
  };

  const describe = async (id: string, state: Job['state'], kind: JobKind): Promise<JobStatus> => {
    const entry = entries.get(id);
    if (state === 'waiting') return waiting(id, kind);
    if (state !== 'running' || entry === undefined) return {};
    return { ...progressOf(entry), ...defined({ outage: gates[credentialsOf(kind)].pollOutage() }) };
  };

  /**
   * Whether another process follows the job now: the one that wrote it last does, and this process is not notified of that
   * write.
   */
  const isOthers = async (id: string, entry: Entry): Promise<boolean> => {
    if (!isShared || now() < entry.checkAt) return false;
    entry.checkAt = now() + CHECK_MS;
    const job = await records.get(id);
    if (entries.get(id) !== entry || job?.version === entry.version) return false;
    forget(job ?? { id, version: entry.version });
    return true;
  };

  return {
    /**
     * Called after every write, and for every unfinished job at the start. A version older than the known one is ignored,
     * because two writes may be answered in any order.
     */
    saved(job: Job): void {
      const { id, version } = job;
      if (version < (entries.get(id)?.version ?? goneAt.get(id) ?? 0)) return;
      if (isActive(job)) remember(job);
      else forget(job);
    },
    /** The job has got a slot. */
    taken(id: string): void {
      const entry = entries.get(id);
      if (entry !== undefined) entry.slotSince = now();
    },
    /** Its photo is looked at from now on, or not any more. */
    checking(id: string, isChecking: boolean): void {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entry.isChecking = isChecking;
      cardRefresh.hurry(id);
    },
    /** The values for the job's card, rounded so that the card need not be edited every second. Never rejects. */
    async jobStatus({ id, state, request: { kind }, caller }: Job): Promise<JobStatus> {
      if (state !== 'opening') return coarse(await describe(id, state, kind));
      const place = await placed(records.expectedStanding(turnKey(caller), limits));
      const jobStatus = coarse({ ...place, ...defined({ outage: outageOf(kind) }) });
      // The job may have ended while its place was read.
      if (!goneAt.has(id)) firstContents.set(id, cardContentKey({ state, jobStatus }));
      // Bounded, because another process may be the one that learns of the card and then clears its own entry.
      keepLatest(firstContents, MOST_GONE);
      return jobStatus;
    },
    async cardState(id: string): Promise<CardState | undefined> {
      const entry = entries.get(id);
      if (entry === undefined || (await isOthers(id, entry))) return undefined;
      const { state, request } = entry;
      return { state, jobStatus: coarse(await describe(id, state, request.kind)) };
    },
    /** The progress last shown; the next poll writes it to the record. */
    shownProgress: (id: string): number => entries.get(id)?.shownProgress ?? 0,
  };
}

/** Rounds what a card shows: a card that says "about 20 s" need not be edited every second. */
function coarse(now: JobStatus): JobStatus {
  const time = (ms: number | undefined): number | undefined => {
    const unit = ms === undefined || ms < 60_000 ? 5_000 : 30_000;
    return ms && Math.ceil(ms / unit) * unit;
  };
  const progress = now.progress && Math.floor(now.progress * 20) / 20;
  return { ...now, ...defined({ progress, remainingMs: time(now.remainingMs), waitMs: time(now.waitMs) }) };
}
