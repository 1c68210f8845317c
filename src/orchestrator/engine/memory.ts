import type { Clock } from '../../base/clock.ts';
import { createFairBudget, type FairBudget, type TakenUnits } from '../../base/limits/fair-budget.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { turnKey } from '../../command/place.ts';
import { photosOf } from '../../command/request.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import type { Job } from '../job/job.ts';
import type { JobPhoto, OrchestratorPorts, Reserve } from '../steps/effects.ts';

/**
 * Memory budgets in bytes, shared fairly among people: photos on their way to the service, pictures and videos on their
 * way to people.
 */
type ByteBudgets = ReturnType<typeof createByteBudgets>;

const MB = 1024 * 1024;
/**
 * Room for a photo of 20 MB from each of eight people, or for fifty ordinary ones; a photo's share shrinks as soon as
 * it is cleaned.
 */
const PHOTO_BYTES = { total: 160 * MB, perPerson: 40 * MB };
/**
 * Up to this size a result counts as ordinary and has a budget of its own, so that it does not wait for large ones. A
 * picture comes as base64 of up to 12 MB.
 */
const ORDINARY_BYTES = 16 * MB;
const PICTURE_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 32 * MB, perPerson: 32 * MB },
};
/**
 * The large budget holds one video of the size limit of a chat together with its marked copy, or several smaller ones.
 */
const VIDEO_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 100 * MB, perPerson: 50 * MB },
};

function bySize(bytes: typeof PICTURE_BYTES): FairBudget {
  const ordinary = createFairBudget(bytes.ordinary);
  const large = createFairBudget(bytes.large);
  return {
    take: (person, units, signal) => (units <= ORDINARY_BYTES ? ordinary : large).take(person, units, signal),
  };
}

/** Creates the memory budgets that all steps and submissions of this process share. */
export const createByteBudgets = () => ({
  photos: createFairBudget(PHOTO_BYTES),
  pictures: bySize(PICTURE_BYTES),
  videos: bySize(VIDEO_BYTES),
});

export type StepMemory = ReturnType<ReturnType<typeof createResultsInMemory>>;

interface Kept {
  readonly output: GenerationOutput;
  readonly held: readonly TakenUnits[];
  readonly cancel: () => void;
}

/**
 * A kept result is dropped after this time: its delivery normally follows at once, but nothing reports here that the
 * record was removed or that another process delivers.
 */
const KEPT_MS = 5_000;
/** Created once, because a stack trace for every step would cost more than all other work at its end. */
const stepIsOver = new Error('The step is over.');

/**
 * Keeps results between the poll that returned them and the step that delivers them, together with the memory reserved
 * for them. The returned function begins one step: all that it reserves is released at its end, unless it keeps a
 * result.
 */
export function createResultsInMemory({ pictures, videos }: ByteBudgets, clock: Clock) {
  const results = new Map<string, Kept>();
  const take = (id: string): Kept | undefined => {
    const found = results.get(id);
    found?.cancel();
    results.delete(id);
    return found;
  };
  const drop = (id: string): void => {
    for (const held of take(id)?.held ?? []) held.release();
  };

  return (id: string, person: string) => {
    let own: TakenUnits[] = [];
    /** Made by the first reservation: nearly all polls find nothing and reserve nothing. */
    let over: AbortController | undefined;
    let isOver = false;
    return {
      /** Waits for memory for a large answer of the service, which contains the picture. */
      async reserve(bytes: number): Promise<void> {
        if (isOver) throw stepIsOver;
        over ??= new AbortController();
        own.push(await pictures.take(person, bytes, over.signal));
      },
      /**
       * Runs `work` with a reservation for videos that is released when it ends, so that no step holds memory while it
       * waits for more.
       */
      async draw<T>(work: (reserve: Reserve) => Promise<T>): Promise<T> {
        const held: TakenUnits[] = [];
        const drawn = new AbortController();
        try {
          return await work(async (bytes) => void held.push(await videos.take(person, bytes, drawn.signal)));
        } finally {
          drawn.abort(new Error('The draw is over.'));
          for (const one of held) one.release();
        }
      },
      keep(output: GenerationOutput): void {
        drop(id);
        results.set(id, { output, held: own, cancel: clock.after(KEPT_MS, () => drop(id)) });
        own = [];
      },
      /** Takes over the result that an earlier step has kept; its memory belongs to this step from now on. */
      takeKept(): GenerationOutput | undefined {
        const found = take(id);
        own.push(...(found?.held ?? []));
        return found?.output;
      },
      /**
       * Releases the step's memory. `isDelivering` is asked only if a result is kept, and the result stays only if it
       * returns true.
       */
      async end(isDelivering: () => Promise<boolean>): Promise<void> {
        isOver = true;
        over?.abort(stepIsOver);
        for (const held of own.splice(0)) held.release();
        if (results.has(id) && !(await isDelivering())) drop(id);
      },
    };
  };
}

/** The size of the largest photo of any platform before it is cleaned. */
const LARGEST_BYTES = 20 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

/** Fetches the photos of one submission and counts their bytes against the budget until they are sent. */
export function createPhotosInMemory(budget: FairBudget, job: Job, photo: OrchestratorPorts['photo']) {
  const images: { bytes: Uint8Array }[] = [];
  let toCome = photosOf(job.request).filter(({ from }) => from !== 'link').length;
  let held: TakenUnits | undefined;
  let isOver = false;

  const cleanBytes = (): number => images.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  /** Reserves for all photos at once: two jobs that each hold one and wait for another would deadlock. */
  const reserve =
    (signal: AbortSignal) =>
    async (bytes: number): Promise<void> => {
      if (held !== undefined) return;
      const taken = await budget.take(turnKey(job.caller), bytes + (toCome - 1) * LARGEST_BYTES, signal);
      if (isOver) taken.release();
      else held = taken;
    };

  return {
    async fetch(ref: PhotoRef, signal: AbortSignal): Promise<JobPhoto> {
      const got = await photo(ref, job, signal, reserve(signal));
      if ('url' in got.image) return got;
      const image = { ...got.image };
      images.push(image);
      toCome -= 1;
      held?.shrink(cleanBytes() + toCome * LARGEST_BYTES);
      return { ...got, image };
    },
    /**
     * Drops the bytes once the photos were sent or are not needed: they are released even if the request is still
     * referenced.
     */
    release(): void {
      isOver = true;
      for (const image of images) image.bytes = NOTHING;
      images.length = 0;
      held?.release();
    },
  };
}
