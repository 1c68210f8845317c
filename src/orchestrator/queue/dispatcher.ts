import type { Clock } from '../../base/clock.ts';
import type { Credentials } from '../job/job-kinds.ts';
import type { Gate } from '../service/service-gate.ts';
import type { GateState, Slot, Slots } from './slots.ts';

/** Submits the next job in the queue as soon as there is a slot and the service can be reached. */
export interface Dispatcher {
  start(): void;
  /** Slots, the queue or a gate may have changed. */
  wake(): void;
  readonly inHand: number;
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  readonly clock: Clock;
  readonly slots: Slots;
  readonly gates: Readonly<Record<Credentials, Gate>>;
  /** Whether anything may be submitted at all. */
  readonly isOpen: () => boolean;
  /** Never rejects; false: it broke, and the record may be as it was. */
  readonly submit: (turn: Slot) => Promise<boolean>;
  /** A submission broke a while ago: its job continues from its record. */
  readonly takeUp: (id: string) => Promise<void>;
  /** Calls under way at once. Each person's are bounded by `slots`, the photos in memory by what they take. */
  readonly submissionsAtOnce: number;
}

/** Before a job whose submission broke is continued: the disk may be full. */
const REST_MS = 5_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clock, slots, gates, submit, submissionsAtOnce } = options;
  const inHand = new Map<string, Promise<void>>();
  let running = false;
  let dispatching = false;
  let retry: { readonly at: number; readonly cancel: () => void } | undefined;

  const way = (credentials: Credentials): GateState => {
    const gate = gates[credentials];
    if (!options.isOpen()) return 'shut';
    if (!gate.maySubmit()) return 'shut';
    return gate.isTrial() ? 'to be tried' : 'open';
  };

  const retryLater = (): void => {
    if (slots.counts().waiting === 0) return;
    const times = [gates.key.retryAt(), gates.token.retryAt()].filter((at) => at !== undefined);
    if (times.length === 0) return;
    const at = Math.min(...times);
    if (retry !== undefined && retry.at <= at && retry.at > clock.now()) return;
    retry?.cancel();
    const cancel = clock.after(Math.max(1, at - clock.now()), () => {
      retry = undefined;
      wake();
    });
    retry = { at, cancel };
  };

  const rest = (id: string): void => {
    clock.after(REST_MS, () => {
      if (running) options.takeUp(id).catch(() => rest(id));
    });
  };

  const wake = (): void => {
    if (!running || dispatching) return;
    dispatching = true;
    try {
      while (inHand.size < submissionsAtOnce) {
        const turn = slots.next(way);
        if (turn === undefined) break;
        const { id } = turn;
        gates[turn.credentials].admitSubmission();
        const submission = submit(turn).then((ok) => {
          inHand.delete(id);
          slots.submitted(turn);
          if (!ok) {
            slots.release(id);
            rest(id);
          }
          wake();
        });
        inHand.set(id, submission);
      }
      retryLater();
    } finally {
      dispatching = false;
    }
  };

  return {
    start() {
      running = true;
      wake();
    },
    wake,
    get inHand() {
      return inHand.size;
    },
    async stop() {
      running = false;
      retry?.cancel();
      retry = undefined;
      await Promise.allSettled(inHand.values());
    },
  };
}
