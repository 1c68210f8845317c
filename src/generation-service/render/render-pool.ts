import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { systemClock } from '../../base/clock.ts';
import { createFairBudget, withSlot } from '../../base/limits/fair-budget.ts';
import { createWorkerPool } from '../../base/worker-pool.ts';
import type { CutOut, Face } from '../../faces/face.ts';
import type { Task } from './task.ts';

export interface RenderRequest {
  task: Task;
  /** Whether the frames of a video get the visible mark. */
  hasMark?: boolean;
  inputs: Uint8Array[];
  /** The faces of each input, largest first. */
  faces: Face[][];
  /** The people of each input, for tasks that need their outline. */
  cutOuts?: CutOut[];
}

const answer = z.union([
  z.object({ id: z.int(), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  z.object({ id: z.int(), refused: z.string() }),
]);
export type RenderAnswer = z.infer<typeof answer>;
const isAnswer = (message: unknown): message is RenderAnswer => answer.safeParse(message).success;

const RENDER_TIMEOUT_MS = 180_000;

export type RenderPool = ReturnType<typeof createRenderPool>;

/**
 * Renders in a bounded number of child processes. Videos have a lane of their own, so that pictures never wait behind one. A
 * worker is started on demand, ends when idle, and is replaced if it crashes or takes too long. Workers are processes rather
 * than threads: a crash in the decoder ends nothing else, and the formats that the image library may read are set per process
 * (a renderer draws SVG, which the host must not decode).
 */
export function createRenderPool(marksVideos = false) {
  const file = new URL('./render.worker.ts', import.meta.url);
  const laneOf = (size: number) => ({
    slots: createFairBudget({ total: size, perPerson: size }),
    pool: createWorkerPool<RenderRequest, RenderAnswer>(
      { file, name: 'the renderer', isAnswer },
      systemClock,
    ),
  });
  const lanes = {
    picture: laneOf(Math.max(1, Math.min(4, availableParallelism() - 1))),
    video: laneOf(1),
  };
  return {
    render(lane: keyof typeof lanes, request: RenderRequest): Promise<Uint8Array> {
      const { slots, pool } = lanes[lane];
      return withSlot(slots, '', async () => {
        const answered = await pool.ask({ ...request, hasMark: marksVideos }, RENDER_TIMEOUT_MS);
        if ('refused' in answered) throw new Error(answered.refused);
        return answered.bytes;
      });
    },
    close(): void {
      for (const { pool } of Object.values(lanes)) pool.close();
    },
  };
}
