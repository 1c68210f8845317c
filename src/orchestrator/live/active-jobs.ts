import { defined } from '../../base/defined.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import { turnKey } from '../../command/place.ts';
import type { JobKind } from '../../kinds/kinds.ts';
import { credentialsOf } from '../../kinds/kinds.ts';
import { isActive, type Job, type JobStatus } from '../job/job.ts';
import type { Standing } from '../job/records.ts';
import type { TimedJob } from '../schedule/timing.ts';
import type { JobContext } from '../steps/effects.ts';
import { type CardRefresh, type CardState, contentOf } from './card-refresh.ts';

export type ActiveJobs = ReturnType<typeof createActiveJobs>;

interface Entry extends TimedJob {
  readonly version: number;
  readonly state: Job['state'];
  readonly resting: Job['resting'];
  readonly due: number | undefined;
  shownProgress: number;
  shownRemainingMs: number | undefined;
  /** When it got its slot. */
  slotSince: number | undefined;
  /** When to check whether another process has taken it on. */
  checkAt: number;
}

/** Pause between two checks whether this process still follows a job. */
const CHECK_MS = 10_000;
/** Jobs that are no longer active; an earlier write of one may be answered after its last. */
const MOST_GONE = 10_000;

/** Before anything has finished: a picture takes some seconds. */
const FIRST_GUESS_MS = 15_000;
const LEAST_MS = 1_000;
const MEMORY = 0.1;
/** What seems to have taken longer says more about the clock than about the service. */
const LONGEST_MS = 3_600_000;

/** A problem of one job alone: its alias may have to be resolved with the other credentials. */
const OWN_TROUBLE = {
  'service-credentials': { outage: 'credentials' },
  'service-address': { outage: 'address' },
  'service-unavailable': { outage: 'unavailable' },
  'service-busy': { resting: 'service-busy' },
  unknown: { resting: 'unknown' },
} as const satisfies Record<NonNullable<Job['resting']>, JobStatus>;

/** What this process keeps of jobs that wait or run: just what their cards need between two polls. */
export function createActiveJobs(common: JobContext, cardRefresh: CardRefresh) {
  const { records, limits, timing, gates, isShared } = common;
  const { now } = common.clock;
  /** How long jobs have kept their slots lately. */
  let keptMs = FIRST_GUESS_MS;
  const entries = new Map<string, Entry>();
  const goneAt = new Map<string, Job['version']>();
  /** What the first cards of opening jobs show. */
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
    });
    // One that comes straight back has not used its slot.
    if (state === 'waiting' && resting !== undefined && known !== undefined) leftSlot(known);
    if (job.card === undefined) return;
    const shown = firstContents.get(job.id);
    cardRefresh.follow(job.id, shown);
    firstContents.delete(job.id);
    // A first card that was shown just now says already that it waits.
    if (known?.state !== state && (state !== 'waiting' || shown === undefined)) cardRefresh.hurry(job.id);
  };

  const progressOf = (entry: Entry): JobStatus => {
    const { fraction, remainingMs } = timing.progress(entry, now());
    entry.shownProgress = fraction;
    entry.shownRemainingMs = remainingMs;
    return { progress: fraction, ...defined({ remainingMs }) };
  };

  const outageOf = (kind: JobKind): JobStatus['outage'] => gates[credentialsOf(kind)].outage();

  /** A card without a place is better than none. */
  const placed = async (find: Promise<Standing | undefined>): Promise<JobStatus> => {
    const standing = await find.catch(() => undefined);
    if (standing === undefined) return {};
    const { position, own } = standing;
    const rounds = Math.max(position / limits.inAll, (own + 1) / limits.perPerson);
    return { position, waitMs: Math.ceil(rounds * Math.max(LEAST_MS, keptMs)) };
  };

  const waiting = async (id: string, kind: JobKind): Promise<JobStatus> => {
    const outage = outageOf(kind);
    const { resting, due = now() } = entries.get(id) ?? {};
    if (outage !== undefined || resting === undefined)
      return { ...(await placed(records.place(id))), ...defined({ outage }) };
    const trouble = OWN_TROUBLE[resting];
    return 'outage' in trouble ? trouble : { ...trouble, waitMs: Math.max(1, due - now()) };
  };

  const describe = async (id: string, state: Job['state'], kind: JobKind): Promise<JobStatus> => {
    const entry = entries.get(id);
    if (state === 'waiting') return waiting(id, kind);
    if (state !== 'running' || entry === undefined) return {};
    return { ...progressOf(entry), ...defined({ outage: gates[credentialsOf(kind)].pollOutage() }) };
  };

  /** The process that wrote it last follows it; this process gets no notice of that. */
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
     * Called after every write, and for every unfinished job at the start. What is older than what is known already is
     * ignored: two writes may be answered in any order.
     */
    saved(job: Job): void {
      const { id, version } = job;
      if (version < (entries.get(id)?.version ?? goneAt.get(id) ?? 0)) return;
      if (isActive(job)) remember(job);
      else forget(job);
    },
    /** It has got a slot. */
    taken(id: string): void {
      const entry = entries.get(id);
      if (entry !== undefined) entry.slotSince = now();
    },
    /** What its card can say now; rounded, because it need not be edited every second. Never rejects. */
    async jobStatus({ id, state, request: { kind }, caller }: Job): Promise<JobStatus> {
      if (state !== 'opening') return coarse(await describe(id, state, kind));
      const place = await placed(records.expectedPlace(turnKey(caller), limits));
      const jobStatus = coarse({ ...place, ...defined({ outage: outageOf(kind) }) });
      // It may have ended meanwhile.
      if (!goneAt.has(id)) firstContents.set(id, contentOf({ state, jobStatus }));
      // Another process may be told where the card is.
      keepLatest(firstContents, MOST_GONE);
      return jobStatus;
    },
    async cardState(id: string): Promise<CardState | undefined> {
      const entry = entries.get(id);
      if (entry === undefined || (await isOthers(id, entry))) return undefined;
      const { state, request } = entry;
      return { state, jobStatus: coarse(await describe(id, state, request.kind)) };
    },
    /** The progress last shown: it goes into the record with the next poll. */
    shownProgress: (id: string): number => entries.get(id)?.shownProgress ?? 0,
  };
}

/** A card that says "about 20 s" need not be edited every second. */
function coarse(now: JobStatus): JobStatus {
  const time = (ms: number | undefined): number | undefined => {
    const unit = ms === undefined || ms < 60_000 ? 5_000 : 30_000;
    return ms && Math.ceil(ms / unit) * unit;
  };
  const progress = now.progress && Math.floor(now.progress * 20) / 20;
  return { ...now, ...defined({ progress, remainingMs: time(now.remainingMs), waitMs: time(now.waitMs) }) };
}
