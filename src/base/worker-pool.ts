import type { Clock } from './clock.ts';
import { startWorkerProcess, type WorkerProcess, type WorkerProgram } from './worker-process.ts';

/** An idle process ends after this time and frees its memory. */
const IDLE_MS = 60_000;

/** Processes that are started on demand and reused; the caller limits how many are taken at once. */
export function createWorkerPool<Task extends object, Answer extends { readonly id: number }>(
  program: WorkerProgram<Answer>,
  clock: Clock,
) {
  const all = new Set<WorkerProcess<Task, Answer>>();
  /** With the function that cancels its idle timer. */
  const idle = new Map<WorkerProcess<Task, Answer>, () => void>();
  const closed = new AbortController();

  const end = (child: WorkerProcess<Task, Answer>): void => {
    idle.get(child)?.();
    idle.delete(child);
    all.delete(child);
    child.kill();
  };
  const takeIdle = (): WorkerProcess<Task, Answer> | undefined => {
    for (const [child, cancelEnd] of idle) {
      if (!child.isAlive) {
        end(child);
        continue;
      }
      cancelEnd();
      idle.delete(child);
      return child;
    }
    return undefined;
  };

  return {
    async take(): Promise<WorkerProcess<Task, Answer>> {
      const free = takeIdle();
      if (free !== undefined) return free;
      closed.signal.throwIfAborted();
      const child = await startWorkerProcess<Task, Answer>(program, clock, closed.signal);
      all.add(child);
      return child;
    },
    /** Returns a process to the pool. */
    keep(child: WorkerProcess<Task, Answer>): void {
      if (closed.signal.aborted) end(child);
      else {
        const cancelEnd = clock.after(IDLE_MS, () => end(child));
        idle.set(child, cancelEnd);
      }
    },
    end,
    get isClosed(): boolean {
      return closed.signal.aborted;
    },
    pids: (): readonly number[] => [...all].flatMap(({ pid }) => pid ?? []),
    close(): void {
      closed.abort(new Error(`${program.name} is closed`));
      for (const child of all) end(child);
    },
  };
}
