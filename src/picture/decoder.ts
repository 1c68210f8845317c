import type { Clock } from '../base/clock.ts';
import { createFairBudget, type FairBudget } from '../base/fair-budget.ts';
import type { Conversion } from './conversion.ts';
import { createDecoderPool } from './decoder-pool.ts';
import { DecoderCrashed, DecoderTooSlow } from './decoder-process.ts';
import { inspectPicture } from './inspect.ts';
import { PictureRefused } from './refused.ts';

export interface Decoder {
  /**
   * The picture, written anew. PictureRefused is for good; any other error says nothing about the picture. `person`:
   * for whom, so that nobody's pictures keep all others waiting.
   */
  convert(bytes: Uint8Array, how: Conversion, person: string, signal?: AbortSignal): Promise<Buffer>;
  /** The processes that are there now. */
  pids(): readonly number[];
  close(): void;
}

export interface DecoderOptions {
  readonly clock: Clock;
  /** Pictures at once, each in a process of its own. */
  readonly atOnce?: number;
  /** The program that those run; another one in tests. */
  readonly program?: URL;
}

/** Of those above it one at a time: decoded, the largest that are taken need hundreds of megabytes. */
const largePixels = 16_000_000;

/**
 * What decoding may cost, by the size of the picture: 4 to 12 times what ordinary pictures needed on a busy machine
 * (docs/benchmarks.md). CPU time is what counts. The time on the clock is only for a process that hangs.
 */
export const cpuMsFor = (pixels: number): number => 2_000 + pixels / 4_000;
export const wallMsFor = (pixels: number): number => 3 * cpuMsFor(pixels);

const program = new URL('./decoder.worker.ts', import.meta.url);

/** Decodes in processes that are started when they are needed, and killed when a picture takes them too long. */
export const createDecoder = (options: DecoderOptions): Decoder => {
  const { clock } = options;
  const turns = createFairBudget({ total: options.atOnce ?? 3, perPerson: 1 });
  const largeTurns = createFairBudget({ total: 1, perPerson: 1 });
  const pool = createDecoderPool(options.program ?? program, clock);

  const attempt = async (
    bytes: Uint8Array,
    conversion: Conversion,
    pixels: number,
    signal?: AbortSignal,
  ): Promise<Buffer> => {
    signal?.throwIfAborted();
    const child = await pool.take();
    try {
      const request = { bytes, conversion, cpuMs: cpuMsFor(pixels) };
      const answer = await child.ask(request, wallMsFor(pixels), signal);
      // A decoder that is over its time is still at it: it cannot be used again.
      if (answer.state === 'refused' && answer.reason === 'too-complex') pool.end(child);
      else pool.keep(child);
      if (answer.state === 'refused') throw new PictureRefused(answer.reason);
      return Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
    } catch (error) {
      if (error instanceof PictureRefused) throw error;
      pool.end(child);
      throw error instanceof DecoderTooSlow ? new PictureRefused('too-complex', 'time') : error;
    }
  };

  const turn = async <T>(
    budget: FairBudget,
    person: string,
    task: () => Promise<T>,
    signal?: AbortSignal,
  ) => {
    const held = await budget.take(person, 1, signal);
    try {
      return await task();
    } finally {
      held.release();
    }
  };

  return {
    async convert(bytes, how, person, signal) {
      const { width, height } = inspectPicture(bytes, how.maxPixels);
      const pixels = width * height;
      // A crash need not be the picture's fault (the machine was out of memory); a second one is taken for that.
      const twice = async (): Promise<Buffer> => {
        try {
          return await attempt(bytes, how, pixels, signal).catch((error: unknown) => {
            if (!(error instanceof DecoderCrashed) || pool.isClosed) throw error;
            return attempt(bytes, how, pixels, signal);
          });
        } catch (error) {
          throw error instanceof DecoderCrashed && !pool.isClosed
            ? new PictureRefused('too-complex', 'crash')
            : error;
        }
      };
      const decode = (): Promise<Buffer> => turn(turns, person, twice, signal);
      return pixels > largePixels ? turn(largeTurns, person, decode, signal) : decode();
    },
    pids: pool.pids,
    close: pool.close,
  };
};
