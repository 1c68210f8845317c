import type { Clock } from '../base/clock.ts';
import { type DecoderProcess, startDecoderProcess } from './decoder-process.ts';

/** An idle process ends after this time and frees its memory. */
const IDLE_MS = 60_000;

/** Processes that are started on demand and reused; the caller limits how many are taken at once. */
export function createDecoderPool(program: URL, clock: Clock) {
  const all = new Set<DecoderProcess>();
  /** With the function that cancels its idle timer. */
  const idle = new Map<DecoderProcess, () => void>();
  const closed = new AbortController();

  const end = (child: DecoderProcess): void => {
    idle.get(child)?.();
    idle.delete(child);
    all.delete(child);
    child.kill();
  };
  const takeIdle = (): DecoderProcess | undefined => {
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
    async take(): Promise<DecoderProcess> {
      const free = takeIdle();
      if (free !== undefined) return free;
      closed.signal.throwIfAborted();
      const child = await startDecoderProcess(program, clock, closed.signal);
      all.add(child);
      return child;
    },
    /** Returns a process to the pool. */
    keep(child: DecoderProcess): void {
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
      closed.abort(new Error('the picture decoder is closed'));
      for (const child of all) end(child);
    },
  };
}
