import { addTo } from '../../base/add-to.ts';
import { createAlarm } from '../../base/clock.ts';
import { turnKey } from '../../command/place.ts';
import { credentialsOf } from '../../kinds/kinds.ts';
import type { WaitingJob } from '../job/job.ts';
import type { GateState } from '../job/records.ts';
import type { Gate } from '../service/service-gate.ts';
import type { JobContext } from '../steps/effects.ts';

/** Before a job whose submission broke is continued, and before the store is asked again: the disk may be full. */
const REST_MS = 5_000;
/** A job that was taken waits for its turn after this, or takes long to prepare. */
const PREPARING_MS = 500;
/** Before it is seen whether calls still wait. */
const BUSY_MS = 50;
/** Calls of cancelled jobs, which have no slot any more, that a person may have under way beside those that run. */
const MOST_CANCELLED = 8;

/** Submits the next job in line as soon as there is a slot and the service can be reached. */
export function createDispatcher(
  { clock, records, limits, gates }: JobContext,
  options: {
    /** Whether anything may be submitted at all. */
    readonly isOpen: () => boolean;
    /** Never rejects; false: it broke, and the record may be as it was. */
    readonly submit: (job: WaitingJob) => Promise<boolean>;
    /** A submission broke a while ago, and its job is no longer claimed: it continues from its record. */
    readonly takeUp: (id: string) => Promise<void>;
    /** The store could not be asked. Never rejects. */
    readonly failed: (error: unknown) => Promise<void>;
    /** Submissions that wait for their turn. */
    readonly callsWaiting: () => number;
    readonly callsPerSecond: number;
  },
) {
  const { isOpen, submit } = options;
  /** Those of cancelled jobs come on top of the jobs that run. Each person's are bounded, too. */
  const submissionsAtOnce = 4 * limits.inAll;
  const underWay = new Map<string, Promise<void>>();
  /** How many submissions of each person are under way. */
  const perPerson = new Map<string, number>();
  /** Jobs whose submissions broke; each ends its pause. */
  const broken = new Map<string, () => void>();
  /** Jobs that are being prepared, and when they were taken; each is counted no more after a while. */
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
      clock.after(REST_MS, () => void goOn(id)),
    );
  };
  const goOn = async (id: string): Promise<void> => {
    broken.get(id)?.();
    broken.delete(id);
    try {
      // It came back into line although its submission broke, and has been taken again.
      if (underWay.has(id)) rest(id);
      else await options.takeUp(id);
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
  const giveBack = async (id: string): Promise<void> => {
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
  /** False: there is nothing more to take for now. */
  const takeOne = async (): Promise<boolean> => {
    if (underWay.size >= submissionsAtOnce) return false;
    const states = { key: stateOf(gates.key), token: stateOf(gates.token) };
    if (states.key === 'closed' && states.token === 'closed') return false;
    for (const [id, at] of justTaken) {
      if (clock.now() - at < PREPARING_MS) break;
      justTaken.delete(id);
    }
    // A second's calls wait, or are about to: the others keep their places, for whichever process can submit them first.
    if (justTaken.size + options.callsWaiting() >= options.callsPerSecond) {
      pause(BUSY_MS);
      return false;
    }
    const job = await records.take({ limits, gates: states, without: busiest() });
    if (job === undefined) return false;
    if (underWay.has(job.id)) rest(job.id);
    // The gate may have closed while the store was asked.
    else if (running && isOpen() && gates[credentialsOf(job.request.kind)].admitSubmission()) begin(job);
    else await giveBack(job.id);
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
        // Otherwise it is woken when the store is well again.
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
    /** Slots, the line or a gate may have changed. */
    wake,
    get underWay() {
      return underWay.size;
    },
    /** The jobs under way, and those whose submissions broke and that are still to be continued. */
    ids: (): readonly string[] => [...underWay.keys(), ...broken.keys()],
    /** Takes no more, waits for the submissions under way, and gives back what was taken and not begun. */
    async stop(): Promise<void> {
      running = false;
      retry.cancel();
      endPause?.();
      await taking;
      await Promise.allSettled(underWay.values());
      await Promise.allSettled([...broken.keys()].map(goOn));
    },
  };
}
