import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { type DecodeAnswer, type DecodeTask, isDecodeAnswer } from './conversion.ts';

/** The process ended, or sent an invalid message, before it answered. */
export class DecoderCrashed extends Error {
  override readonly name = 'DecoderCrashed';
}

/** No answer in time. */
export class DecoderTooSlow extends Error {
  override readonly name = 'DecoderTooSlow';
}

export interface DecoderProcess {
  /** One request at a time. After any error the process must be killed. */
  ask(
    task: DecodeTask,
    withinMs: number,
    signal?: AbortSignal,
  ): Promise<Exclude<DecodeAnswer, { state: 'ready' }>>;
  kill(): void;
  readonly isAlive: boolean;
  readonly pid: number | undefined;
}

/** Long enough to load the program on a busy machine. */
const START_MS = 60_000;

/** Resolves when the process is ready; rejects when it cannot be started. */
export async function startDecoderProcess(
  program: URL,
  clock: Clock,
  signal: AbortSignal,
): Promise<DecoderProcess> {
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [],
    // Not our environment, which holds tokens. These settings make glibc return a picture's memory to the system.
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let isAlive = true;
  let asked = 0;
  // Without a listener an error while idle would crash our process.
  const ended = (): void => {
    isAlive = false;
  };
  child.on('error', ended);
  child.on('exit', ended);
  const kill = (): void => {
    isAlive = false;
    child.kill('SIGKILL');
  };
  try {
    await nextAnswer(child, clock, START_MS, signal);
  } catch (error) {
    kill();
    throw new Error('the picture decoder could not be started', { cause: error });
  }
  unrefChild(child);

  return {
    async ask(task, withinMs, signal) {
      child.ref();
      child.channel?.ref();
      try {
        asked += 1;
        const answered = nextAnswer(child, clock, withinMs, signal);
        child.send({ ...task, id: asked }, (error) => error && child.emit('error', error));
        const answer = await answered;
        if (answer.state === 'ready' || answer.id !== asked)
          throw new DecoderCrashed('the picture decoder answered something else');
        return answer;
      } finally {
        unrefChild(child);
      }
    },
    kill,
    get isAlive() {
      return isAlive;
    },
    pid: child.pid,
  };
}

/** An idle child does not keep our process alive. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function nextAnswer(
  child: ChildProcess,
  clock: Clock,
  withinMs: number,
  signal?: AbortSignal,
): Promise<DecodeAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (how: () => void): void => {
      cancel();
      signal?.removeEventListener('abort', abort);
      child.off('message', onMessage);
      child.off('error', onEnd);
      child.off('exit', onEnd);
      how();
    };
    const cancel = clock.after(withinMs, () =>
      settle(() => reject(new DecoderTooSlow(`no answer within ${withinMs} ms`))),
    );
    const abort = (): void => settle(() => reject(signal?.reason));
    const onEnd = (): void => settle(() => reject(new DecoderCrashed('the picture decoder stopped')));
    const onMessage = (message: unknown): void =>
      isDecodeAnswer(message) ? settle(() => resolve(message)) : onEnd();
    signal?.addEventListener('abort', abort, { once: true });
    child.on('message', onMessage);
    child.on('error', onEnd);
    child.on('exit', onEnd);
  });
}
