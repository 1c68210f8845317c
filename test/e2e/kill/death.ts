import type { ChildProcess } from 'node:child_process';

/** So long after it has made so many calls: a busy machine makes that later, not another moment of its work. */
export interface Moment {
  readonly calls: number;
  readonly ms: number;
}

export interface Death {
  /** The program has made a call. */
  called(): void;
  callOff(): void;
  /** It came from here, and not from the program itself. */
  readonly struck: boolean;
}

/** From its start to its first call, on a busy machine. */
const LONGEST_START_MS = 5_000;
/** Nothing is left to do: it need not be waited for. Whoever dies of its own is given more time for it. */
const IDLE_MS = 150;
const LONGEST_IDLE_MS = 1_000;

/** Kills the program as by kill -9 at that moment, or when nothing more comes of it. */
export function createDeath(child: ChildProcess, { calls, ms }: Moment): Death {
  const idleMs = Number.isFinite(calls) ? IDLE_MS : LONGEST_IDLE_MS;
  let left = calls;
  let struck = false;
  const die = (): void => {
    struck = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(die, calls === 0 ? ms : LONGEST_START_MS);
  return {
    get struck() {
      return struck;
    },
    called() {
      if (left <= 0) return;
      left -= 1;
      clearTimeout(timer);
      timer = setTimeout(die, left === 0 ? ms : idleMs);
    },
    callOff: () => clearTimeout(timer),
  };
}

/** Whether it was killed or ended by itself; anything else is an error. */
export const endOf = (child: ChildProcess): Promise<'killed' | 'ended'> =>
  new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve('killed');
      else if (code === 0) resolve('ended');
      else reject(new Error(`the program ended with ${code ?? signal}`));
    });
  });
