import type { Clock } from '../base/clock.ts';
import { createFairBudget, withSlot } from '../base/limits/fair-budget.ts';
import { createWorkerPool, WorkerCrashed, WorkerTooSlow } from '../base/worker-pool.ts';
import {
  type Composition,
  type Conversion,
  type DecodeAnswer,
  type DecodeTask,
  isDecodeAnswer,
} from './conversion.ts';
import { inspectPicture } from './inspect.ts';
import { PictureRefused } from './structure.ts';

/** Decodes pictures in child processes, see `createDecoder`. */
export type Decoder = ReturnType<typeof createDecoder>;

export interface DecoderOptions {
  readonly clock: Clock;
  /** How many pictures are decoded concurrently, each in its own process. */
  readonly atOnce?: number;
  /** The program of the child processes; replaced in tests. */
  readonly program?: URL;
}

/** Larger pictures are decoded one at a time, because they need hundreds of megabytes. */
const LARGE_PIXELS = 16_000_000;

/**
 * CPU time limit by size: 4 to 12 times what ordinary pictures need on a busy machine (docs/benchmarks.md). The wall time limit
 * is for processes that hang; a busy machine may leave a decoder a tenth of a core.
 */
export const cpuMsFor = (pixels: number): number => 2_000 + pixels / 4_000;

export const wallMsFor = (pixels: number): number => 10 * cpuMsFor(pixels);

const program = new URL('./decoder.worker.ts', import.meta.url);

export const decoderProgram = (file = program) => ({
  file,
  name: 'the picture decoder',
  isAnswer: isDecodeAnswer,
});

/**
 * The room's entry: re-encodes and composes pictures in child processes (`decoder.worker.ts`), which are killed when a picture
 * takes too long. People take turns. Before decoding, `inspect.ts` checks a file's structure; `text.ts` and `chart.ts` make
 * drawings without fonts.
 */
export function createDecoder(options: DecoderOptions) {
  const { clock } = options;
  const slots = createFairBudget({ total: options.atOnce ?? 3, perPerson: 1 });
  const largeSlots = createFairBudget({ total: 1, perPerson: 1 });
  const pool = createWorkerPool<DecodeTask, DecodeAnswer>(decoderProgram(options.program), clock);

  /** Whether the process that answered is still busy decoding, so that it must be replaced. */
  const isSpent = (answer: DecodeAnswer): boolean =>
    answer.state === 'refused' && answer.reason === 'too-complex';
  const attempt = async (task: DecodeTask, pixels: number, signal?: AbortSignal): Promise<Buffer> => {
    signal?.throwIfAborted();
    const asked = pool.ask(task, wallMsFor(pixels), { signal, isSpent });
    const answer = await asked.catch((error: unknown) => {
      throw error instanceof WorkerTooSlow ? new PictureRefused('too-complex', 'time') : error;
    });
    if (answer.state === 'refused') throw new PictureRefused(answer.reason);
    return Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
  };

  const run = (task: DecodeTask, pixels: number, person: string, signal?: AbortSignal): Promise<Buffer> => {
    // Retried once: a crash need not be the picture's fault (out of memory). After a second crash the picture is refused.
    const twice = async (): Promise<Buffer> => {
      try {
        return await attempt(task, pixels, signal).catch((error: unknown) => {
          if (!(error instanceof WorkerCrashed) || pool.isClosed) throw error;
          return attempt(task, pixels, signal);
        });
      } catch (error) {
        throw error instanceof WorkerCrashed && !pool.isClosed
          ? new PictureRefused('too-complex', 'crash')
          : error;
      }
    };
    const decode = (): Promise<Buffer> => withSlot(slots, person, twice, signal);
    return pixels > LARGE_PIXELS ? withSlot(largeSlots, person, decode, signal) : decode();
  };

  return {
    /**
     * Re-encodes a picture. `PictureRefused` is final; any other error says nothing about the picture. `person`: people share
     * the decoder fairly.
     */
    async convert(bytes: Uint8Array, how: Conversion, person: string, signal?: AbortSignal): Promise<Buffer> {
      const { width, height } = inspectPicture(bytes, how.maxPixels);
      const pixels = width * height;
      const cpuMs = Math.min(cpuMsFor(pixels), how.cpuMs ?? Number.POSITIVE_INFINITY);
      return run({ bytes, conversion: how, cpuMs }, pixels, person, signal);
    },
    /** Composes pictures that `convert` has made; the same input gives the same bytes. */
    async compose(composition: Composition, person: string, signal?: AbortSignal): Promise<Buffer> {
      const pixels = composition.width * composition.height;
      return run({ composition, cpuMs: cpuMsFor(pixels) }, pixels, person, signal);
    },
    get isClosed(): boolean {
      return pool.isClosed;
    },
    pids: pool.pids,
    close: pool.close,
  };
}
