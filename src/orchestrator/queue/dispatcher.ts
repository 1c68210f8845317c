import { addTo } from '../../base/add-to.ts';
import { createAlarm } from '../../base/clock.ts';
import { turnKey } from '../../command/place.ts';
import { credentialsOf } from '../../kinds/kinds.ts';
import type { WaitingJob } from '../job/job.ts';
import type { GateState } from '../job/records.ts';
import type { Gate } from '../service/service-gate.ts';
import type { JobContext } from '../steps/effects.ts';

/** Pause before a job whose submission broke is continued, and before a store that failed is asked again. */
const REST_MS = 5_000;
/**
 * After this time a taken job is no longer counted as being prepared: it waits for its turn to call, or takes long to prepare.
 */
const PREPARING_MS = 500;
/** Pause before checking again whether calls still wait. */
const BUSY_MS = 50;
/**
 * Calls of cancelled jobs that a person may have under way beyond the limit of running jobs; cancelled jobs have no slot any
 * more.
 */
const MOST_CANCELLED = 8;

/** Submits the next job in line as soon as there is a slot and the service can be reached. */
export function createDispatcher(
  { clock, records, limits, gates }: JobContext,
  options: {
    /** Whether any job may be submitted. */
    readonly isOpen: () => boolean;
    /** Submits a job. Must not reject. Returns false if it broke; the record may then be unchanged. */
    readonly submit: (job: WaitingJob) => Promise<boolean>;
    /** Continues a job from its record some time after its submission broke; it is no longer claimed. */
    readonly continueJob: (id: string) => Promise<void>;
    /** Called when the store could not be asked. Must not reject. */
    readonly failed: (error: unknown) => Promise<void>;
    /** The number of submissions that wait for their turn to call. */
    readonly callsWaiting: () => number;
    readonly callsPerSecond: number;
  },
) {
  const { isOpen, submit } = options;
  /**
   * Limit of concurrent submissions. Submissions of cancelled jobs come on top of the running jobs; each person's are bounded
   * as well.
   */
  const submissionsAtOnce = 4 * limits.inAll;
  const underWay = new Map<string, Promise<void>>();
  /** How many submissions of each person are under way. */
  const perPerson = new Map<string, number>();
  /** Jobs whose submissions broke and that pause before they continue, each with the function that cancels its pause. */
  const broken = new Map<string, () => void>();
  /** Jobs that are being prepared, with the time when they were taken. */
  const justTaken = new Map<string, number>();
  let running = false;
  let taking: Promise<void> | undefined;
  let isWoken = false;
  let endPause: (() => void) | undefined;
  const retry = createAlarm(clock, () => wake());

  const stateOf = (gate: Gate): GateState => {
    if (!isOpen() || !gate.maySubmit()) return 'closed';
    return gate.isTrial() ? 'trial' : 'open';
  };
  const busiest = (): string[] =>
    [...perPerson].flatMap(([person, now]) => (now < limits.perPerson + MOST_CANCELLED ? [] : [person]));

  const rest = (id: string): void => {
    broken.get(id)?.();
    broken.set(
      id,
      clock.after(REST_MS, () => void continueAfterPause(id)),
    );
  };
  const continueAfterPause = async (id: string): Promise<void> => {
    broken.get(id)?.();
    broken.delete(id);
    try {
      // The job returned to the line although its submission broke, and has been taken again.
      if (underWay.has(id)) rest(id);
      else await options.continueJob(id);
    } catch {
      if (running) rest(id);
    }
  };

  const begin = (job: WaitingJob): void => {
    const { id } = job;
    const person = turnKey(job.caller);
    addTo(perPerson, person, 1);
    justTaken.set(id, clock.now());
    const submission = submit(job).then((ok) => {
      justTaken.delete(id);
      underWay.delete(id);
      addTo(perPerson, person, -1);
      if (!ok) rest(id);
      wake();
    });
    underWay.set(id, submission);
  };
  const releaseJob = async (id: string): Promise<void> => {
    try {
      await records.release('submission', id);
    } catch (error) {
      rest(id);
      await options.failed(error);
    }
  };
  const pause = (ms: number): void => {
    const cancel = clock.after(ms, () => {
      endPause = undefined;
      wake();
    });
    endPause = cancel;
  };
  /** Takes one job and begins its submission. Returns false if there is nothing more to take for now. */
  const takeOne = async (): Promise<boolean> => {
    if (underWay.size >= submissionsAtOnce) return false;
    const states = { key: stateOf(gates.key), token: stateOf(gates.token) };
    if (states.key === 'closed' && states.token === 'closed') return false;
    for (const [id, at] of justTaken) {
      if (clock.now() - at < PREPARING_MS) break;
      justTaken.delete(id);
    }
    // Backpressure: when a second's worth of calls waits, or is about to, the other jobs stay in line for the process that can
    // submit them first.
    if (justTaken.size + options.callsWaiting() >= options.callsPerSecond) {
      pause(BUSY_MS);
      return false;
    }
    const job = await records.take({ limits, gates: states, without: busiest() });
    if (job === undefined) return false;
    if (underWay.has(job.id)) rest(job.id);
    // Checked again, because the gate may have closed while the store was asked.
    else if (running && isOpen() && gates[credentialsOf(job.request.kind)].admitSubmission()) begin(job);
    else await releaseJob(job.id);
    return true;
  };

  const retryLater = (): void => {
    const times = [gates.key.retryAt(), gates.token.retryAt()].filter((at) => at !== undefined);
    if (running && times.length > 0) retry.set(Math.min(...times));
  };

  const takeAll = async (): Promise<void> => {
    do {
      isWoken = false;
      try {
        while (running && (await takeOne()));
        retryLater();
      } catch (error) {
        await options.failed(error);
        // While the store cannot be used no pause is set: `wake` is called when it recovers.
        if (running && isOpen()) pause(REST_MS);
      }
    } while (isWoken && running && endPause === undefined);
    taking = undefined;
  };
  const wake = (): void => {
    isWoken = true;
    if (running && endPause === undefined) taking ??= takeAll();
  };

  return {
    start(): void {
      running = true;
      wake();
    },
    /** Called when slots, the line or a gate may have changed. */
    wake,
    get underWay() {
      return underWay.size;
    },
    /** The jobs whose submissions are under way, or broke and are still to be continued. */
    ids: (): readonly string[] => [...underWay.keys(), ...broken.keys()],
    /** Stops taking jobs, waits for the submissions under way, and gives back jobs that were taken but not begun. */
    async stop(): Promise<void> {
      running = false;
      retry.cancel();
      endPause?.();
      await taking;
      await Promise.allSettled(underWay.values());
      await Promise.allSettled([...broken.keys()].map(continueAfterPause));
    },
  };
}
