import type { Clock } from '../base/clock.ts';
import { type DecoderProcess, startDecoderProcess } from './decoder-process.ts';

/** Processes that are started on demand and reused; the caller limits how many are taken at once. */
export interface DecoderPool {
  take(): Promise<DecoderProcess>;
  /** Returns a process to the pool. */
  keep(child: DecoderProcess): void;
  end(child: DecoderProcess): void;
  readonly isClosed: boolean;
  pids(): readonly number[];
  close(): void;
}

/** An idle process ends after this time and frees its memory. */
const IDLE_MS = 60_000;

export function createDecoderPool(program: URL, clock: Clock): DecoderPool {
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
    async take() {
      const free = takeIdle();
      if (free !== undefined) return free;
      closed.signal.throwIfAborted();
      const child = await startDecoderProcess(program, clock, closed.signal);
      all.add(child);
      return child;
    },
    keep(child) {
      if (closed.signal.aborted) end(child);
      else
        idle.set(
          child,
          clock.after(IDLE_MS, () => end(child)),
        );
    },
    end,
    get isClosed() {
      return closed.signal.aborted;
    },
    pids: () => [...all].flatMap(({ pid }) => pid ?? []),
    close() {
      closed.abort(new Error('the picture decoder is closed'));
      for (const child of all) end(child);
    },
  };
}
