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
}

/** A point that is a matter of luck may not be met again: then any other moment will do. */
const LONGEST_LIFE_MS = 4_000;
/** Nothing is left to do: it need not be waited for. */
const IDLE_MS = 150;

/** Kills the program as by kill -9 at that moment, or when nothing more comes of it. */
export function createDeath(child: ChildProcess, { calls, ms }: Moment): Death {
  const die = (): void => void child.kill('SIGKILL');
  let timer = setTimeout(die, calls === 0 ? ms : LONGEST_LIFE_MS);
  let left = calls;
  return {
    called() {
      if (left <= 0) return;
      left -= 1;
      clearTimeout(timer);
      timer = setTimeout(die, left === 0 ? ms : IDLE_MS);
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
