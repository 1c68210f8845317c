import type { Clock } from '../clock.ts';
import type { Engine, EngineWork } from './engine.ts';

export interface LocalEngineOptions {
  readonly clock: Clock;
  readonly work: EngineWork;
  /** Steps under way at once; a result in hand is megabytes. */
  readonly stepsAtOnce: number;
}

const REST_MS = 5_000;

/**
 * Runs due steps in this process. The table's index on the due time is the queue; there is one timer, for the
 * next due, however many jobs there are.
 */
export function createLocalEngine({ clock, work, stepsAtOnce }: LocalEngineOptions): Engine {
  const inHand = new Map<string, Promise<void>>();
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;
  let running = false;
  let pumping = false;

  const setTimer = (at: number): void => {
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      timer = undefined;
      pump();
    });
    timer = { at, cancel };
  };

  const release = (id: string): void => {
    inHand.delete(id);
    pump();
  };

  const begin = (id: string): void => {
    const step = work.step(id).then((ok) => {
      // A step that could not even write down how it went would be due again at once, for ever.
      if (!ok && running) clock.after(REST_MS, () => release(id));
      else release(id);
    });
    inHand.set(id, step);
  };

  const pump = (): void => {
    if (!running || pumping) return;
    pumping = true;
    try {
      const now = clock.now();
      const free = stepsAtOnce - inHand.size;
      if (free > 0) {
        // Those in hand may still be due by the table, so that many more are asked for.
        const ids = work.due(now, free + inHand.size).filter((id) => !inHand.has(id));
        for (const id of ids.slice(0, free)) begin(id);
      }
      const next = work.nextDue(now);
      if (next !== undefined && inHand.size < stepsAtOnce) setTimer(next);
    } finally {
      pumping = false;
    }
  };

  return {
    start() {
      running = true;
      pump();
    },
    expect(due) {
      if (!running) return;
      if (due <= clock.now()) pump();
      else setTimer(due);
    },
    get inHand() {
      return inHand.size;
    },
    async stop() {
      running = false;
      timer?.cancel();
      timer = undefined;
      await Promise.allSettled(inHand.values());
    },
  };
}
