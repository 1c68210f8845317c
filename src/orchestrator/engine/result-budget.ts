import type { Clock } from '../../base/clock.ts';
import { createFairBudget, type FairBudget, type Held, splitBySize } from '../../base/limits/fair-budget.ts';
import type { GenerationOutput } from '../../generation-client/result/status-report.ts';
import type { Reserve } from '../steps/effects.ts';

/** Bytes of photos on their way in, and of results on their way out, that are in memory at once. */
export type ByteBudgets = Readonly<Record<'photos' | 'pictures' | 'videos', FairBudget>>;

const MB = 1024 * 1024;
/** A photo of 20 MB for each of eight people, or fifty of an ordinary size: it is smaller as soon as it is cleaned. */
const PHOTO_BYTES = { total: 160 * MB, perPerson: 40 * MB };
/** Results of an ordinary size do not wait for the memory of large ones. A picture is base64, up to 12 MB of it. */
const ORDINARY_BYTES = 16 * MB;
const PICTURE_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 32 * MB, perPerson: 32 * MB },
};
/** Large ones: two as large as a chat takes. */
const VIDEO_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 100 * MB, perPerson: 50 * MB },
};

function bySize({ ordinary, large }: typeof PICTURE_BYTES): FairBudget {
  return splitBySize(createFairBudget(ordinary), ORDINARY_BYTES, createFairBudget(large));
}

export function createByteBudgets(): ByteBudgets {
  return {
    photos: createFairBudget(PHOTO_BYTES),
    pictures: bySize(PICTURE_BYTES),
    videos: bySize(VIDEO_BYTES),
  };
}

/** Results that a poll returned and another step delivers, with the memory they take. */
export interface ResultsInMemory {
  /** Begins one step: what it reserves is released at its end, unless it keeps a result. */
  begin(id: string, person: string): StepMemory;
}

export interface StepMemory {
  /** For a large answer of the service, which holds the picture. */
  readonly reserve: Reserve;
  /** What a draw reserves for a video is released at its end, so that nothing holds memory while waiting for more. */
  draw<T>(work: (reserve: Reserve) => Promise<T>): Promise<T>;
  keep(output: GenerationOutput): void;
  /** What an earlier step has kept; from now on it is this step's. */
  kept(): GenerationOutput | undefined;
  /** `isDelivering`, asked only where something was kept: that is needed. */
  end(isDelivering: () => Promise<boolean>): Promise<void>;
}

interface Kept {
  readonly output: GenerationOutput;
  readonly held: readonly Held[];
  readonly until: number;
}

/** Delivery follows at once, unless the record was removed. */
const KEPT_MS = 60_000;
/** Made once: a stack trace for every step would cost more than the rest of its end. */
const stepIsOver = new Error('The step is over.');

export function createResultsInMemory(
  { pictures, videos }: Pick<ByteBudgets, 'pictures' | 'videos'>,
  clock: Clock,
): ResultsInMemory {
  const results = new Map<string, Kept>();
  const drop = (id: string): void => {
    for (const held of results.get(id)?.held ?? []) held.release();
    results.delete(id);
  };
  const tidy = (): void => {
    // The oldest come first.
    for (const [id, { until }] of results) {
      if (until > clock.now()) return;
      drop(id);
    }
  };

  return {
    begin(id, person) {
      let own: Held[] = [];
      const over = new AbortController();
      return {
        async reserve(bytes) {
          own.push(await pictures.take(person, bytes, over.signal));
        },
        async draw(work) {
          const held: Held[] = [];
          const drawn = new AbortController();
          try {
            return await work(
              async (bytes) => void held.push(await videos.take(person, bytes, drawn.signal)),
            );
          } finally {
            drawn.abort(new Error('The draw is over.'));
            for (const one of held) one.release();
          }
        },
        keep(output) {
          tidy();
          drop(id);
          results.set(id, { output, held: own, until: clock.now() + KEPT_MS });
          own = [];
        },
        kept() {
          const found = results.get(id);
          results.delete(id);
          own.push(...(found?.held ?? []));
          return found?.output;
        },
        async end(isDelivering) {
          over.abort(stepIsOver);
          for (const held of own.splice(0)) held.release();
          if (results.has(id) && !(await isDelivering())) drop(id);
        },
      };
    },
  };
}
