import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import type { CutOut, Face } from '../../faces/face.ts';
import type { Task } from './task.ts';

export interface RenderRequest {
  task: Task;
  inputs: Uint8Array[];
  /** The faces of each input, largest first. */
  faces: Face[][];
  /** The people of each input, for what needs their outline. */
  cutOuts?: CutOut[];
}

type Lane = 'picture' | 'video';

/** What a worker answers. */
const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), bytes: z.instanceof(Uint8Array) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

const RENDER_TIMEOUT_MS = 180_000;

export type RenderPool = ReturnType<typeof createRenderPool>;

/**
 * Renders in processes of their own, a bounded number at once. Videos have their own lane so that pictures never
 * wait behind one. A worker starts when it is first needed; one that crashes or takes too long is replaced.
 * Processes rather than threads: a crash in the decoder takes nothing else down, and which formats the image library
 * may read is set per process (a renderer draws SVG, which the host must not decode).
 */
export function createRenderPool() {
  const lanes = {
    picture: createLane(Math.max(1, Math.min(4, availableParallelism() - 1))),
    video: createLane(1),
  };
  return {
    /** `load` is called when a worker is free. */
    render: (lane: Lane, load: () => RenderRequest): Promise<Uint8Array> => lanes[lane].render(load),
    close: () => {
      lanes.picture.close();
      lanes.video.close();
    },
  };
}

function createLane(size: number) {
  const slots = createFairBudget({ total: size, perPerson: size });
  const idle = new Set<ChildProcess>();
  const all = new Set<ChildProcess>();
  let closed = false;

  const startWorker = () => {
    const worker = fork(new URL('./render.worker.ts', import.meta.url), {
      serialization: 'advanced',
      execArgv: [],
      // Nothing of the host's environment: it holds tokens that a renderer has no use for.
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // The HTTP server keeps the process alive, never a worker.
    worker.unref();
    worker.channel?.unref();
    const drop = () => {
      all.delete(worker);
      idle.delete(worker);
    };
    // Without a listener an error while idle would end the process.
    worker.on('error', drop);
    worker.on('exit', drop);
    all.add(worker);
    return worker;
  };
  const render = async (request: RenderRequest): Promise<Uint8Array> => {
    if (closed) throw new Error('the service is closed');
    const [worker = startWorker()] = idle;
    idle.delete(worker);
    try {
      const bytes = await ask(worker, request);
      idle.add(worker);
      return bytes;
    } catch (error) {
      // A worker that gave no answer is in an unknown state; one that answered with an error is fine.
      if (error instanceof RenderRefused) idle.add(worker);
      else worker.kill('SIGKILL');
      throw error;
    }
  };

  return {
    render: (load: () => RenderRequest) => withSlot(slots, '', async () => render(load())),
    close: () => {
      closed = true;
      for (const worker of all) worker.kill('SIGKILL');
    },
  };
}

class RenderRefused extends Error {}

function ask(worker: ChildProcess, request: RenderRequest): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => end(() => fail(new Error('rendering took too long'))), RENDER_TIMEOUT_MS);
    timer.unref();
    const onMessage = (message: unknown) => {
      const parsed = answer.safeParse(message);
      if (!parsed.success) return end(() => fail(new Error('the renderer gave no usable answer')));
      const { data } = parsed;
      end(() => (data.ok ? done(data.bytes) : fail(new RenderRefused(data.reason))));
    };
    const onEnd = () => end(() => fail(new Error('the renderer stopped')));
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('error', onEnd);
      worker.off('exit', onEnd);
      settle();
    };
    worker.on('message', onMessage);
    worker.on('error', onEnd);
    worker.on('exit', onEnd);
    worker.send(request, (error) => error && onEnd());
  });
}
