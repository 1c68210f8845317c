import { z } from 'zod';
import { type Clock, systemClock } from '../base/clock.ts';
import { createFairBudget, withSlot } from '../base/limits/fair-budget.ts';
import { createWorkerPool } from '../base/worker-pool.ts';
import { PictureRefused } from '../picture/structure.ts';
import { type CutOut, cutOutShape, type Face, faceShape } from './face.ts';

export type FaceFinder = ReturnType<typeof createFaceFinder>;

export interface FindOptions {
  /** Photos of one person wait behind each other, and delay another person's first by at most one. */
  readonly person?: string;
  /** Leaves the line; where faces are being looked for, it fails soon, and the process goes on with the next photo. */
  readonly signal?: AbortSignal;
}

export interface FaceFinderOptions {
  readonly clock?: Clock;
  /** The program of the process; replaced in tests. */
  readonly program?: URL;
}

export interface FindTask {
  readonly kind: 'faces' | 'cut-out';
  readonly photo: Uint8Array;
}

/** Twenty times what a photo takes: a busy machine leaves us a tenth of a core. */
const DEADLINE_MS = 30_000;

const answer = z.union([
  z.object({ id: z.int(), faces: z.array(faceShape) }),
  z.object({ id: z.int(), cutOut: cutOutShape }),
  z.object({ id: z.int(), isStopped: z.literal(true) }),
  z.object({ id: z.int(), refused: z.enum(['format', 'pixels', 'broken', 'too-complex']) }),
]);
export type FindAnswer = z.infer<typeof answer>;

const isAnswer = (message: unknown): message is FindAnswer => answer.safeParse(message).success;
const ownProgram = new URL('./finder.worker.ts', import.meta.url);

/** Finds faces in a child process that starts when it is needed and ends when it is idle; one photo at a time, person by person. */
export function createFaceFinder({ clock = systemClock, program }: FaceFinderOptions = {}) {
  const slot = createFairBudget({ total: 1, perPerson: 1 });
  const pool = createWorkerPool<FindTask, FindAnswer>(
    { file: program ?? ownProgram, name: 'the face finder', isAnswer },
    clock,
  );
  const ask = (task: FindTask, { person = '', signal }: FindOptions = {}): Promise<FindAnswer> =>
    withSlot(slot, person, () => pool.ask(task, DEADLINE_MS, { stop: signal }), signal);
  const unexpected = (answered: FindAnswer): Error => {
    if ('refused' in answered) return new PictureRefused(answered.refused);
    const what = 'isStopped' in answered ? 'was stopped' : 'answered something else';
    return new Error(`the face finder ${what}`);
  };

  return {
    /**
     * Largest first. PictureRefused is final; any other error says nothing about the photo: the finder could not be started, has
     * crashed, was closed or stopped, or took too long.
     */
    async find(photo: Uint8Array, options?: FindOptions): Promise<Face[]> {
      const answered = await ask({ kind: 'faces', photo }, options);
      if ('faces' in answered) return answered.faces;
      throw unexpected(answered);
    },
    /** Which pixels show people, at a bounded size with the photo's proportions. */
    async cutOut(photo: Uint8Array, options?: FindOptions): Promise<CutOut> {
      const answered = await ask({ kind: 'cut-out', photo }, options);
      if ('cutOut' in answered) return answered.cutOut;
      throw unexpected(answered);
    },
    /** A photo is about to come: starts the process, which takes longer than to find faces in it. */
    warm(): void {
      if (pool.pids().length > 0) return;
      // A process that cannot be started fails the photo.
      withSlot(slot, '', pool.warm).catch(() => undefined);
    },
    pids: pool.pids,
    close: pool.close,
  };
}
