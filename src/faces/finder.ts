import { z } from 'zod';
import { type Clock, systemClock, unlessAborted } from '../base/clock.ts';
import { createFairBudget, withSlot } from '../base/limits/fair-budget.ts';
import { createWorkerPool } from '../base/worker-pool.ts';
import { PictureRefused } from '../picture/structure.ts';
import { type Content, contentShape } from '../safety/content/content.ts';
import { type CutOut, cutOutShape, type Face, faceShape } from './face.ts';

export type FaceFinder = ReturnType<typeof createFaceFinder>;

export interface FindOptions {
  /** Photos of one person wait behind each other, and delay another person's first by at most one. */
  readonly person?: string;
  /** Leaves the line; where faces are being looked for, it fails soon, and the process goes on with the next photo. */
  readonly signal?: AbortSignal;
  /** The most faces that are of interest: the largest. */
  readonly most?: number;
}

export interface FaceFinderOptions {
  readonly clock?: Clock;
  /** The program of the process; replaced in tests. */
  readonly program?: URL;
}

export interface FindTask {
  readonly kind: 'faces' | 'cut-out' | 'content';
  readonly photo: Uint8Array;
  readonly most?: number | undefined;
}

/** Twenty times what a photo takes: a busy machine leaves us a tenth of a core. */
const DEADLINE_MS = 30_000;
/** How long a process that could not be started is not started again. */
const REST_MS = 60_000;

const answer = z.union([
  z.object({ id: z.int(), faces: z.array(faceShape) }),
  z.object({ id: z.int(), cutOut: cutOutShape }),
  z.object({ id: z.int(), content: contentShape }),
  z.object({ id: z.int(), isStopped: z.literal(true) }),
  z.object({ id: z.int(), refused: z.enum(['format', 'pixels', 'broken', 'too-complex']) }),
]);
export type FindAnswer = z.infer<typeof answer>;

const isAnswer = (message: unknown): message is FindAnswer => answer.safeParse(message).success;
const ownProgram = new URL('./finder.worker.ts', import.meta.url);

/** Finds faces, and looks at the content of pictures, in a child process that starts when it is needed and ends when it is idle; one photo at a time, person by person. */
export function createFaceFinder({ clock = systemClock, program }: FaceFinderOptions = {}) {
  const slot = createFairBudget({ total: 1, perPerson: 1 });
  const pool = createWorkerPool<FindTask, FindAnswer>(
    { file: program ?? ownProgram, name: 'the face finder', isAnswer },
    clock,
  );
  let asked = 0;
  let starting: Promise<void> | undefined;
  let failed: { readonly error: unknown; readonly until: number } | undefined;

  const isResting = (): boolean => failed !== undefined && clock.now() < failed.until;
  /** Resolves when there is a process; all who need one wait for the same start. After one that failed it rejects for a while. */
  const start = (): Promise<void> => {
    if (isResting()) return Promise.reject(failed?.error);
    starting ??= pool
      .warm()
      .catch((error: unknown) => {
        failed = { error, until: clock.now() + REST_MS };
        throw error;
      })
      .finally(() => {
        starting = undefined;
      });
    return starting;
  };
  const ask = async (task: FindTask, { person = '', signal }: FindOptions = {}): Promise<FindAnswer> => {
    asked += 1;
    const inTurn = async (): Promise<FindAnswer> => {
      await unlessAborted(start(), signal);
      return pool.ask(task, DEADLINE_MS, { stop: signal });
    };
    return withSlot(slot, person, inTurn, signal).finally(() => {
      asked -= 1;
    });
  };
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
      const answered = await ask({ kind: 'faces', photo, most: options?.most }, options);
      if ('faces' in answered) return answered.faces;
      throw unexpected(answered);
    },
    /** Which pixels show people, at a bounded size with the photo's proportions. */
    async cutOut(photo: Uint8Array, options?: FindOptions): Promise<CutOut> {
      const answered = await ask({ kind: 'cut-out', photo }, options);
      if ('cutOut' in answered) return answered.cutOut;
      throw unexpected(answered);
    },
    /** What the picture shows, for the check of content; rejects as `find` does. */
    async content(picture: Uint8Array, options?: FindOptions): Promise<Content> {
      const answered = await ask({ kind: 'content', photo: picture }, options);
      if ('content' in answered) return answered.content;
      throw unexpected(answered);
    },
    /**
     * A photo is about to come: starts the process, which takes longer than to find faces in it. False: it could not be started a
     * moment ago, and finds nothing until it is tried again.
     */
    warm(): boolean {
      if (isResting()) return false;
      // While a photo is looked at, the process is there or is being started. One that cannot be started fails the photo.
      if (asked === 0) start().catch(() => undefined);
      return true;
    },
    get isClosed(): boolean {
      return pool.isClosed;
    },
    pids: pool.pids,
    close: pool.close,
  };
}
