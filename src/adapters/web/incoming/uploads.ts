import type { Clock } from '../../../base/clock.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';
import type { Visitor } from '../visitors/visitor.ts';

/** Messages on their way in, bounded by the bytes that have come of them: one that hangs holds next to nothing. */
export interface Uploads {
  /** Reads a body and hands it over; its bytes count until `use` has ended. */
  receive<T>(
    request: Pick<Request, 'body' | 'headers'>,
    from: Visitor,
    use: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T | 'busy' | 'slow' | 'too-large'>;
}

interface Upload extends Visitor {
  bytes: number;
  readonly lose: (why: 'busy' | 'slow') => void;
}

export interface UploadLimits {
  readonly mostOfOne: number;
  readonly mostInAll: number;
}

const checkMs = 5_000;
/** Between two checks: some 3 KB a second, less than any line that a photo could be sent over. */
const leastBytes = 16 * 1024;
const standard: UploadLimits = { mostOfOne: 64 * 1024 * 1024, mostInAll: 128 * 1024 * 1024 };

export const createUploads = (clock: Clock, limits = standard): Uploads => {
  /** Oldest first. */
  const underWay = new Set<Upload>();
  let inHand = 0;

  /**
   * Of the address that holds most, of its sessions the one that holds most: the oldest. A session that holds no more than one
   * message may have is not held to be heavy, however little others hold: sessions cost nothing.
   */
  const heaviest = (): Upload | undefined => {
    const sizeOf = ({ bytes }: Upload): number => bytes;
    const near = ofHeaviest([...underWay], ({ address }) => address, sizeOf);
    return ofHeaviest(near, ({ address, session }) => `${address} ${session}`, sizeOf, limits.mostOfOne)[0];
  };

  const end = (upload: Upload): void => {
    if (underWay.delete(upload)) inHand -= upload.bytes;
  };

  const watch = (upload: Upload): (() => void) => {
    let before = 0;
    let cancel = (): void => undefined;
    const check = (): void => {
      if (upload.bytes - before < leastBytes) upload.lose('slow');
      before = upload.bytes;
      cancel = clock.after(checkMs, check);
    };
    cancel = clock.after(checkMs, check);
    return () => cancel();
  };

  const read = async (
    body: ReadableStream<Uint8Array> | null,
    upload: Upload,
    lost: Promise<'busy' | 'slow'>,
  ): Promise<Uint8Array | 'busy' | 'slow' | 'too-large'> => {
    const chunks: Uint8Array[] = [];
    const reader = body?.getReader();
    for (;;) {
      // Whoever hangs up is as good as too slow.
      const more = reader?.read().catch(() => 'slow' as const);
      const next = await Promise.race([lost, more ?? { done: true as const, value: undefined }]);
      if (typeof next === 'string') return next;
      // It lost its place while this came.
      if (!underWay.has(upload)) return lost;
      if (next.done) return Buffer.concat(chunks);
      chunks.push(next.value);
      upload.bytes += next.value.byteLength;
      inHand += next.value.byteLength;
      if (upload.bytes > limits.mostOfOne) return 'too-large';
      while (inHand > limits.mostInAll) {
        const heavy = heaviest();
        if (heavy === undefined || heavy === upload) return 'busy';
        heavy.lose('busy');
      }
    }
  };

  return {
    async receive(request, from, use) {
      if (Number(request.headers.get('content-length') ?? 0) > limits.mostOfOne) return 'too-large';
      const lost = Promise.withResolvers<'busy' | 'slow'>();
      const upload: Upload = {
        ...from,
        bytes: 0,
        lose(why) {
          end(upload);
          lost.resolve(why);
        },
      };
      underWay.add(upload);
      const unwatch = watch(upload);
      try {
        const bytes = await read(request.body, upload, lost.promise);
        unwatch();
        return typeof bytes === 'string' ? bytes : await use(bytes);
      } finally {
        unwatch();
        end(upload);
      }
    },
  };
};
