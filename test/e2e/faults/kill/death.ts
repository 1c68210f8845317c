import type { ChildProcess } from 'node:child_process';

/** A moment so long after the program has made so many calls: a busy machine makes it later, but not another moment of the program's work. */
export interface Moment {
  readonly calls: number;
  readonly ms: number;
}

/** The longest time from the program's start to its first call, on a busy machine. */
const LONGEST_START_MS = 5_000;
/** A program that makes no call for so long has nothing left to do: its next call need not be waited for. */
const IDLE_MS = 150;
/**
 * A program that is to kill itself is idle when it has asked so often in a row for something to do. The questions are counted,
 * because a busy machine makes everything later; the time is for a program that does not even ask.
 */
const IDLE_QUESTIONS = 100;
const LONGEST_SILENCE_MS = 60_000;

/** Kills the program as by kill -9 at that moment, or when nothing more comes of it. */
export function createDeath(child: ChildProcess, { calls, ms }: Moment) {
  const diesByItself = !Number.isFinite(calls);
  const idleMs = diesByItself ? LONGEST_SILENCE_MS : IDLE_MS;
  let left = calls;
  let questions = 0;
  let struck = false;
  const die = (): void => {
    struck = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(die, calls === 0 ? ms : diesByItself ? LONGEST_SILENCE_MS : LONGEST_START_MS);
  return {
    /** Whether the program was killed from here, and not by itself. */
    get struck(): boolean {
      return struck;
    },
    /** The program has made a call. */
    called(): void {
      if (left <= 0) return;
      left -= 1;
      questions = 0;
      clearTimeout(timer);
      timer = setTimeout(die, left === 0 ? ms : idleMs);
    },
    /** The program has asked for something to do. */
    asked(): void {
      questions += 1;
      if (diesByItself && questions > IDLE_QUESTIONS) die();
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
