import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { cleanPhoto, PhotoRejected } from '../../media/photo.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { PictureRefused } from '../../picture/structure.ts';
import {
  HASH_TEXT,
  hashDistance,
  hashOfText,
  type PerceptualHash,
  textOfHash,
} from '../../safety/hash/perceptual-hash.ts';
import type { PictureHasher } from '../../safety/hash/picture-hasher.ts';
import type { JobMark, JobSearch } from '../../store/tables/job-search.ts';

const PER_PAGE = 100;
/** Jobs that one search compares, which takes about a second; then the owner presses for more. */
const MOST_PAGES = 50;
const MOST_SHOWN = 12;
/** Bits in which hashes of different pictures can still be called alike: an owner looks at each. */
const MOST_DISTANCE = 64;
/** Takes its turns at the decoder like one person. */
const TURN = 'console';

/** By what a picture is compared with results. No picture can be made from it. */
interface PictureMark {
  /** SHA-256 of the file. */
  readonly file: string;
  readonly hash: PerceptualHash;
  readonly mirrored: PerceptualHash;
}

const textOf = ({ file, hash, mirrored }: PictureMark): string =>
  [file, textOfHash(hash), textOfHash(mirrored)].join(' ');

function markOf(text: string): PictureMark | undefined {
  const [file = '', hash = '', mirrored = ''] = text.split(' ');
  if (!HASH_TEXT.test(hash) || !HASH_TEXT.test(mirrored)) return undefined;
  return { file, hash: hashOfText(hash), mirrored: hashOfText(mirrored) };
}

/** A result that is alike: in how many of 256 bits its hash differs; 0 is the same file, or the same to the eye. */
interface AlikeResult {
  readonly job: Job;
  readonly bits: number;
}

interface AlikeResults {
  readonly found: readonly AlikeResult[];
  readonly next?: JobMark;
}

/** Finds results by a picture, among those whose jobs are kept. Each page of jobs is read by itself, so that others come in between. */
export function createFindAlike(parts: {
  readonly jobSearch: JobSearch;
  readonly hasher: Pick<PictureHasher, 'hashes'>;
  readonly decoder: Decoder;
}) {
  const { jobSearch, hasher, decoder } = parts;

  const bitsOf = ({ file, hash, mirrored }: PictureMark, job: Job): number | undefined => {
    if (job.state !== 'done' || job.resultHashes === undefined) return undefined;
    const { picture } = job.resultHashes;
    if (job.resultHashes.file === file) return 0;
    if (picture === undefined || !HASH_TEXT.test(picture)) return undefined;
    const known = hashOfText(picture);
    return Math.min(hashDistance(hash, known), hashDistance(mirrored, known));
  };

  return {
    /** What a picture is searched by, as a text; undefined: it is no photo that can be read. */
    async mark(bytes: Uint8Array): Promise<string | undefined> {
      try {
        const clean = await cleanPhoto(bytes, decoder, TURN);
        const { hash, mirrored } = await hasher.hashes(clean.bytes, TURN);
        const file = createHash('sha256').update(bytes).digest('base64url');
        return textOf({ file, hash, mirrored });
      } catch (error) {
        if (error instanceof PhotoRejected || error instanceof PictureRefused) return undefined;
        throw error;
      }
    },
    /** The most alike ones among the next jobs, the most alike first. `next`: where to go on. Undefined: that is no text of `mark`. */
    async find(text: string, after?: JobMark): Promise<AlikeResults | undefined> {
      const picture = markOf(text);
      if (picture === undefined) return undefined;
      let found: readonly AlikeResult[] = [];
      let mark = after;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { jobs, next } = await jobSearch.find({ state: 'done' }, PER_PAGE, mark);
        const alike = jobs.flatMap((job) => {
          const bits = bitsOf(picture, job);
          return bits === undefined || bits > MOST_DISTANCE ? [] : [{ job, bits }];
        });
        found = [...found, ...alike].toSorted((one, other) => one.bits - other.bits).slice(0, MOST_SHOWN);
        if (next === undefined) return { found };
        mark = next;
        await setImmediate();
      }
      return { found, ...(mark && { next: mark }) };
    },
  };
}
