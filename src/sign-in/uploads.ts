import type { Clock } from '../base/clock.ts';
import { itemsOfHeaviestOwner } from '../base/limits/heaviest.ts';
import { announcedBytes, watchRate } from '../base/network/read-body.ts';
import type { Visitor } from './visitor.ts';

interface Upload extends Visitor {
  bytes: number;
  readonly abort: (why: 'busy' | 'slow') => void;
}

/** The minimum rate of an upload: about 3 KB/s, below which it would take too long to send a photo. */
const LEAST_RATE = { bytes: 16 * 1024, windowMs: 5_000 };
const STANDARD = { mostOfOne: 64 * 1024 * 1024, mostInAll: 128 * 1024 * 1024 };

/** Limits the memory of uploads in progress by the bytes received so far, so that a stalled upload costs little. */
export function createUploads(clock: Clock, limits = STANDARD) {
  /** The uploads in progress, oldest first. */
  const underWay = new Set<Upload>();
  let totalBytes = 0;

  /**
   * Chooses the upload to abort: the oldest of the heaviest session of the heaviest address. Sessions below the size of one
   * message count as equal, because anybody can open many sessions.
   */
  const heaviest = (): Upload | undefined => {
    const sizeOf = ({ bytes }: Upload): number => bytes;
    const near = itemsOfHeaviestOwner([...underWay], ({ address }) => address, sizeOf);
    return itemsOfHeaviestOwner(
      near,
      ({ address, session }) => `${address} ${session}`,
      sizeOf,
      limits.mostOfOne,
    )[0];
  };

  const end = (upload: Upload): void => {
    if (underWay.delete(upload)) totalBytes -= upload.bytes;
  };

  const read = async (
    body: ReadableStream<Uint8Array> | null,
    upload: Upload,
    aborted: Promise<'busy' | 'slow'>,
    received: (bytes: number) => void,
  ): Promise<Uint8Array | 'busy' | 'slow' | 'too-large'> => {
    const chunks: Uint8Array[] = [];
    const reader = body?.getReader();
    for (;;) {
      // A connection that the sender closed counts as too slow.
      const more = reader?.read().catch(() => 'slow' as const);
      const next = await Promise.race([aborted, more ?? { done: true as const, value: undefined }]);
      if (typeof next === 'string') return next;
      // The upload was aborted while this chunk arrived.
      if (!underWay.has(upload)) return aborted;
      if (next.done) return Buffer.concat(chunks);
      chunks.push(next.value);
      received(next.value.byteLength);
      upload.bytes += next.value.byteLength;
      totalBytes += next.value.byteLength;
      if (upload.bytes > limits.mostOfOne) return 'too-large';
      while (totalBytes > limits.mostInAll) {
        const heavy = heaviest();
        if (heavy === undefined || heavy === upload) return 'busy';
        heavy.abort('busy');
      }
    }
  };

  return {
    /** Reads a body and passes it to `use`; the bytes count to the limits until `use` has ended. */
    async receive<T>(
      request: Pick<Request, 'body' | 'headers'>,
      from: Visitor,
      use: (bytes: Uint8Array) => Promise<T>,
    ): Promise<T | 'busy' | 'slow' | 'too-large'> {
      if ((announcedBytes(request.headers) ?? 0) > limits.mostOfOne) return 'too-large';
      const aborted = Promise.withResolvers<'busy' | 'slow'>();
      const upload: Upload = {
        ...from,
        bytes: 0,
        abort(why) {
          end(upload);
          aborted.resolve(why);
        },
      };
      underWay.add(upload);
      const rate = watchRate(clock, LEAST_RATE);
      rate.signal.addEventListener('abort', () => upload.abort('slow'));
      try {
        const bytes = await read(request.body, upload, aborted.promise, rate.received).finally(rate.stop);
        return typeof bytes === 'string' ? bytes : await use(bytes);
      } finally {
        end(upload);
      }
    },
  };
}

export type Uploads = ReturnType<typeof createUploads>;
