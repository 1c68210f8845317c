import type { Clock } from '../../base/clock.ts';
import { createFairBudget, type FairBudget, type Held } from '../../base/limits/fair-budget.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { turnKey } from '../../command/place.ts';
import { photosOf } from '../../command/request.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import type { ImageInput } from '../../generation-client/wire/inputs.ts';
import type { Job } from '../job/job.ts';
import type { OrchestratorPorts, Reserve } from '../steps/effects.ts';

/** Bytes of photos on their way in, and of results on their way out, that are in memory at once. */
type ByteBudgets = ReturnType<typeof createByteBudgets>;

const MB = 1024 * 1024;
/** A photo of 20 MB for each of eight people, or fifty of an ordinary size: it is smaller as soon as it is cleaned. */
const PHOTO_BYTES = { total: 160 * MB, perPerson: 40 * MB };
/** Results of an ordinary size do not wait for the memory of large ones. A picture is base64, up to 12 MB of it. */
const ORDINARY_BYTES = 16 * MB;
const PICTURE_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 32 * MB, perPerson: 32 * MB },
};
/** Large ones: one as large as a chat takes, with its marked copy, or several that are smaller. */
const VIDEO_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 100 * MB, perPerson: 50 * MB },
};

function bySize(bytes: typeof PICTURE_BYTES): FairBudget {
  const [ordinary, large] = [createFairBudget(bytes.ordinary), createFairBudget(bytes.large)];
  return {
    take: (person, units, signal) => (units <= ORDINARY_BYTES ? ordinary : large).take(person, units, signal),
  };
}

export const createByteBudgets = () => ({
  photos: createFairBudget(PHOTO_BYTES),
  pictures: bySize(PICTURE_BYTES),
  videos: bySize(VIDEO_BYTES),
});

export type StepMemory = ReturnType<ReturnType<typeof createResultsInMemory>>;

interface Kept {
  readonly output: GenerationOutput;
  readonly held: readonly Held[];
  readonly cancel: () => void;
}

/** Delivery follows at once, but the record may be removed, or another process may deliver: nothing reports that here. */
const KEPT_MS = 5_000;
/** Made once: a stack trace for every step would cost more than the rest of its end. */
const stepIsOver = new Error('The step is over.');

/**
 * Results that a poll returned and another step delivers, with the memory they take. The returned function begins one step: what
 * it reserves is released at its end, unless it keeps a result.
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
    let own: Held[] = [];
    const over = new AbortController();
    return {
      /** For a large answer of the service, which holds the picture. */
      async reserve(bytes: number): Promise<void> {
        own.push(await pictures.take(person, bytes, over.signal));
      },
      /** What a draw reserves for a video is released at its end, so that nothing holds memory while waiting for more. */
      async draw<T>(work: (reserve: Reserve) => Promise<T>): Promise<T> {
        const held: Held[] = [];
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
      /** What an earlier step has kept; from now on it is this step's. */
      kept(): GenerationOutput | undefined {
        const found = take(id);
        own.push(...(found?.held ?? []));
        return found?.output;
      },
      /** `isDelivering`, asked only where something was kept: that is needed. */
      async end(isDelivering: () => Promise<boolean>): Promise<void> {
        over.abort(stepIsOver);
        for (const held of own.splice(0)) held.release();
        if (results.has(id) && !(await isDelivering())) drop(id);
      },
    };
  };
}

/** What a platform's largest photo takes before it is cleaned. */
const LARGEST_BYTES = 20 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

/** The photos of one submission while they are in memory. */
export function createPhotosInMemory(budget: FairBudget, job: Job, photo: OrchestratorPorts['photo']) {
  const images: { bytes: Uint8Array }[] = [];
  let toCome = photosOf(job.request).filter(({ from }) => from !== 'link').length;
  let held: Held | undefined;
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
    async fetch(ref: PhotoRef, signal: AbortSignal): Promise<ImageInput> {
      const got = await photo(ref, job, signal, reserve(signal));
      if ('url' in got) return got;
      const image = { ...got };
      images.push(image);
      toCome -= 1;
      held?.shrink(cleanBytes() + toCome * LARGEST_BYTES);
      return image;
    },
    /** They were sent, or never will be: their bytes are released even if the request is still referenced. */
    letGo(): void {
      isOver = true;
      for (const image of images) image.bytes = NOTHING;
      images.length = 0;
      held?.release();
    },
  };
}
