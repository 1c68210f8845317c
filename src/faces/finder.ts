import { z } from 'zod';
import { type Clock, systemClock, unlessAborted } from '../base/clock.ts';
import { createFairBudget, withSlot } from '../base/limits/fair-budget.ts';
import { createWorkerPool } from '../base/worker-pool.ts';
import { PictureRefused } from '../picture/structure.ts';
import { type Content, contentShape } from '../safety/content/content.ts';
import { type CutOut, cutOutShape, type Face, faceShape } from './face.ts';

/** Finds faces in photos, see `createFaceFinder`. */
export type FaceFinder = ReturnType<typeof createFaceFinder>;

export interface FindOptions {
  /**
   * The person whose photo it is: photos of one person are processed one after another, and delay another person's first by at
   * most one.
   */
  readonly person?: string;
  /**
   * Cancels the request: it leaves the line, or stops soon if it is being processed, and the process continues with the next
   * photo.
   */
  readonly signal?: AbortSignal;
  /** The number of faces to find, the largest ones. */
  readonly most?: number;
}

export interface FaceFinderOptions {
  readonly clock?: Clock;
  /** The program of the child process; replaced in tests. */
  readonly program?: URL;
}

/** A request to the child process. */
export interface FindTask {
  readonly kind: 'faces' | 'cut-out' | 'content';
  readonly photo: Uint8Array;
  readonly most?: number | undefined;
}

/** Timeout of a request: twenty times what a photo takes, because a busy machine may leave a tenth of a core. */
const DEADLINE_MS = 30_000;
/** Pause before a process that failed to start is started again. */
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

/**
 * The room's entry: finds faces, and inspects the content of pictures, in a child process that is started on demand and ends
 * when idle. It processes one photo at a time, and people take turns. The child process is `finder.worker.ts`; its detection
 * begins in `find.ts`.
 */
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
  /** Starts the process unless it runs; concurrent callers share one start. After a failed start it rejects for a while. */
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
     * Finds the faces in a photo, the largest first. `PictureRefused` is final; any other error says nothing about the photo:
     * the finder could not be started, has crashed, was closed or stopped, or took too long.
     */
    async find(photo: Uint8Array, options?: FindOptions): Promise<Face[]> {
      const answered = await ask({ kind: 'faces', photo, most: options?.most }, options);
      if ('faces' in answered) return answered.faces;
      throw unexpected(answered);
    },
    /** Finds the pixels that show people, at a bounded size with the photo's proportions. */
    async cutOut(photo: Uint8Array, options?: FindOptions): Promise<CutOut> {
      const answered = await ask({ kind: 'cut-out', photo }, options);
      if ('cutOut' in answered) return answered.cutOut;
      throw unexpected(answered);
    },
    /** Classifies the content of a picture; rejects like `find`. */
    async content(picture: Uint8Array, options?: FindOptions): Promise<Content> {
      const answered = await ask({ kind: 'content', photo: picture }, options);
      if ('content' in answered) return answered.content;
      throw unexpected(answered);
    },
    /**
     * Starts the process before a photo arrives, because starting takes longer than finding faces. Returns false if a start has
     * failed a moment ago, so that nothing is found until the next one.
     */
    warm(): boolean {
      if (isResting()) return false;
      // While a request is pending, the process runs or is being started; a failed start fails that request.
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
