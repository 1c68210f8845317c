import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from './clock.ts';

/** Thrown if the process ended, or sent an invalid message, before it answered. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed';
}

/** Thrown if the process did not become ready. */
export class WorkerNotStarted extends Error {
  override readonly name = 'WorkerNotStarted';
}

/** Thrown if the process did not answer in time. */
export class WorkerTooSlow extends Error {
  override readonly name = 'WorkerTooSlow';
}

/** The program of a child process that first sends `{ state: 'ready' }`, then answers one request after another. */
export interface WorkerProgram<Answer extends { readonly id: number }> {
  readonly file: URL;
  /** The name in messages, such as `the picture decoder`. */
  readonly name: string;
  /** Validates an answer: hostile input may have taken over the process. */
  readonly isAnswer: (message: unknown) => message is Answer;
}

/** Timeout of a start: long enough to load the program on a busy machine. */
const START_MS = 60_000;

/** Starts a process. Resolves when it is ready; rejects when it cannot be started. */
export async function startWorkerProcess<Task extends object, Answer extends { readonly id: number }>(
  { file, name, isAnswer }: WorkerProgram<Answer>,
  clock: Clock,
  signal: AbortSignal,
) {
  const child = fork(file, {
    serialization: 'advanced',
    execArgv: [],
    // The environment of this process is not passed on, because it holds tokens. These settings make glibc return a picture's
    // memory to the system.
    env: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let isAlive = true;
  let asked = 0;
  // Without a listener, an error while the child is idle would crash this process.
  const ended = (): void => {
    isAlive = false;
  };
  child.on('error', ended);
  child.on('exit', ended);
  const kill = (): void => {
    isAlive = false;
    child.kill('SIGKILL');
  };
  const crashed = (): Error => new WorkerCrashed(`${name} stopped`);
  try {
    await nextMessage(child, isReady, clock, START_MS, crashed, signal);
  } catch (error) {
    kill();
    throw new WorkerNotStarted(`${name} could not be started`, { cause: error });
  }
  unrefChild(child);

  return {
    /** Sends one request with an `id` that the answer repeats; one at a time. After any error the process must be killed. */
    async ask(task: Task, withinMs: number, { signal, stop }: AskOptions<Answer> = {}): Promise<Answer> {
      const send = (message: object): void =>
        void child.send(message, (error) => error && child.emit('error', error));
      const sendStop = (): void => send({ stop: asked });
      child.ref();
      child.channel?.ref();
      try {
        asked += 1;
        const answered = nextMessage(child, isAnswer, clock, withinMs, crashed, signal);
        send({ ...task, id: asked });
        if (stop?.aborted) sendStop();
        stop?.addEventListener('abort', sendStop, { once: true });
        const answer = await answered;
        if (answer.id !== asked) throw new WorkerCrashed(`${name} answered something else`);
        return answer;
      } finally {
        stop?.removeEventListener('abort', sendStop);
        unrefChild(child);
      }
    },
    kill,
    get isAlive(): boolean {
      return isAlive;
    },
    pid: child.pid,
  };
}

const isReady = (message: unknown): message is { readonly state: 'ready' } =>
  typeof message === 'object' && message !== null && 'state' in message && message.state === 'ready';

/** Lets this process end although a child is idle. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function nextMessage<T>(
  child: ChildProcess,
  isExpected: (message: unknown) => message is T,
  clock: Clock,
  withinMs: number,
  crashed: () => Error,
  signal: AbortSignal | undefined,
): Promise<T> {
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
      settle(() => reject(new WorkerTooSlow(`no answer within ${withinMs} ms`))),
    );
    const abort = (): void => settle(() => reject(signal?.reason));
    const onEnd = (): void => settle(() => reject(crashed()));
    const onMessage = (message: unknown): void =>
      isExpected(message) ? settle(() => resolve(message)) : onEnd();
    signal?.addEventListener('abort', abort, { once: true });
    child.on('message', onMessage);
    child.on('error', onEnd);
    child.on('exit', onEnd);
  });
}

interface AskOptions<Answer> {
  readonly signal?: AbortSignal | undefined;
  /** Tells the process to stop early; it still has to answer. */
  readonly stop?: AbortSignal | undefined;
  readonly isSpent?: (answer: Answer) => boolean;
}

/** How long an idle process lives; then it ends and frees its memory. */
const IDLE_MS = 60_000;

/** Creates a pool of processes that are started on demand and reused; the caller limits how many are used concurrently. */
export function createWorkerPool<Task extends object, Answer extends { readonly id: number }>(
  program: WorkerProgram<Answer>,
  clock: Clock,
) {
  type Child = Awaited<ReturnType<typeof startWorkerProcess<Task, Answer>>>;
  const all = new Set<Child>();
  /** Idle processes, each with the function that cancels its idle timer. */
  const idle = new Map<Child, () => void>();
  const closed = new AbortController();

  const end = (child: Child): void => {
    idle.get(child)?.();
    idle.delete(child);
    all.delete(child);
    child.kill();
  };
  const takeIdle = (): Child | undefined => {
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

  const take = async (): Promise<Child> => {
    const free = takeIdle();
    if (free !== undefined) return free;
    closed.signal.throwIfAborted();
    const child = await startWorkerProcess<Task, Answer>(program, clock, closed.signal);
    all.add(child);
    return child;
  };
  const keep = (child: Child): void => {
    if (closed.signal.aborted) end(child);
    else {
      const cancelEnd = clock.after(IDLE_MS, () => end(child));
      idle.set(child, cancelEnd);
    }
  };

  return {
    /**
     * Sends a request to a free process or a new one. The process is replaced if it does not answer, or if its answer
     * `isSpent`.
     */
    async ask(task: Task, withinMs: number, options: AskOptions<Answer> = {}): Promise<Answer> {
      const child = await take();
      try {
        const answer = await child.ask(task, withinMs, options);
        if (options.isSpent?.(answer)) end(child);
        else keep(child);
        return answer;
      } catch (error) {
        end(child);
        throw error;
      }
    },
    warm: async (): Promise<void> => keep(await take()),
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
