import { setImmediate } from 'node:timers/promises';
import type { Job } from '../../orchestrator/job/job.ts';
import { HASH_TEXT_SHAPE, hashDistance, hashOfText } from '../../safety/hash/perceptual-hash.ts';
import type { PictureFingerprints } from '../../safety/requests/request-records.ts';
import type { JobMark, JobSearch } from '../../store/tables/job-search.ts';

const PER_PAGE = 100;
/** Pages of jobs that one part of a search compares, which takes about a second. */
const PAGES_OF_PART = 50;
/** A search compares a picture with the latest 30,000 jobs. */
const MOST_PARTS = 6;
/** Copies of a picture differ in at most 24 bits; cropped ones in more, and so do other results of the same scene: a person looks at each. */
const MOST_DISTANCE = 64;
const MOST_FOUND = 12;
const FAR = Number.POSITIVE_INFINITY;

/** A result that somebody may mean. */
export interface NearResult {
  readonly job: Job;
  /** `link`: its message was named; `number`: so was one with its number, in a chat that is not known. `file`: it is the very file of the result. `photo`: it is a photo that the result was made from. */
  readonly as: 'link' | 'number' | 'file' | 'result' | 'photo';
  /** In how many of 256 bits the fingerprints differ. */
  readonly distance: number;
}

/** What a part of a search has found, and where the next one begins. */
export interface NearResultsPart {
  readonly found: readonly NearResult[];
  readonly next?: JobMark;
}

export type NearResults = ReturnType<typeof createNearResults>;

const nearest = (some: readonly NearResult[]): readonly NearResult[] =>
  some.toSorted((one, other) => one.distance - other.distance).slice(0, MOST_FOUND);

/** Compares a picture with results and with the photos that they were made from. */
function comparedWith({ file, hashes }: PictureFingerprints): (job: Job) => NearResult {
  const wanted = (hashes ?? []).map(hashOfText);
  const distanceTo = (known: string | undefined): number => {
    if (known === undefined || !HASH_TEXT_SHAPE.test(known)) return FAR;
    const hash = hashOfText(known);
    return Math.min(FAR, ...wanted.map((each) => hashDistance(each, hash)));
  };
  return (job) => {
    const { resultHashes, photoHashes = [] } = job;
    if (resultHashes?.file === file) return { job, as: 'file', distance: 0 };
    const ofResult = distanceTo(resultHashes?.picture);
    const ofPhotos = Math.min(FAR, ...photoHashes.map(distanceTo));
    return ofPhotos < ofResult
      ? { job, as: 'photo', distance: ofPhotos }
      : { job, as: 'result', distance: ofResult };
  };
}

/** Finds the results of the last 30 days that look like a picture, or were made from it: the nearest first. */
export function createNearResults(jobSearch: Pick<JobSearch, 'find'>) {
  /** Among the next 5,000 jobs. */
  const part = async (picture: PictureFingerprints, after?: JobMark): Promise<NearResultsPart> => {
    const compare = comparedWith(picture);
    let found: readonly NearResult[] = [];
    let mark = after;
    for (let page = 0; page < PAGES_OF_PART; page += 1) {
      const { jobs, next } = await jobSearch.find({ state: 'done' }, PER_PAGE, mark);
      const near = jobs.map(compare).filter(({ distance }) => distance <= MOST_DISTANCE);
      found = nearest([...found, ...near]);
      if (next === undefined) return { found };
      mark = next;
      // Other work comes in between the pages.
      await setImmediate();
    }
    return { found, ...(mark && { next: mark }) };
  };
  return {
    part,
    async all(picture: PictureFingerprints): Promise<readonly NearResult[]> {
      let all: readonly NearResult[] = [];
      let after: JobMark | undefined;
      for (let parts = 0; parts < MOST_PARTS; parts += 1) {
        const { found, next } = await part(picture, after);
        all = nearest([...all, ...found]);
        if (next === undefined) break;
        after = next;
      }
      return all;
    },
  };
}
