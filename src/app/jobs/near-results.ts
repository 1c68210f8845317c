import { setImmediate } from 'node:timers/promises';
import type { Job } from '../../orchestrator/job/job.ts';
import { HASH_TEXT, hashDistance, hashOfText } from '../../safety/hash/perceptual-hash.ts';
import type { AskedPicture } from '../../safety/requests/request-records.ts';
import type { JobMark, JobSearch } from '../../store/tables/job-search.ts';

const PER_PAGE = 100;
/** The latest jobs that are compared with a picture. */
const MOST_PAGES = 300;
/** Copies of a picture differ in at most 24 bits; cropped ones in more, and so do other results of the same scene. */
const MOST_DISTANCE = 48;
const MOST_FOUND = 10;
const FAR = Number.POSITIVE_INFINITY;

/** A result that a request may mean. */
export interface NearResult {
  readonly job: Job;
  /** `link`: its message was named; `number`: so was one with its number, in a chat that is not known. `file`: it is the very file of the result. `photo`: it is a photo that the result was made from. */
  readonly as: 'link' | 'number' | 'file' | 'result' | 'photo';
  /** In how many of 256 bits the fingerprints differ. */
  readonly distance: number;
}

export type NearResults = ReturnType<typeof createNearResults>;

/** Finds the results of the last 30 days that look like a picture, or were made from it: the nearest first. */
export function createNearResults(jobSearch: Pick<JobSearch, 'find'>) {
  return async ({ file, hashes }: AskedPicture): Promise<readonly NearResult[]> => {
    const wanted = (hashes ?? []).map(hashOfText);
    const distanceTo = (known: string): number =>
      Math.min(
        FAR,
        ...(HASH_TEXT.test(known) ? wanted : []).map((hash) => hashDistance(hash, hashOfText(known))),
      );

    const compare = (job: Job): NearResult => {
      const { resultHashes, photoHashes = [] } = job;
      if (resultHashes?.file === file) return { job, as: 'file', distance: 0 };
      const ofResult = distanceTo(resultHashes?.picture ?? '');
      const ofPhotos = Math.min(FAR, ...photoHashes.map(distanceTo));
      return ofPhotos < ofResult
        ? { job, as: 'photo', distance: ofPhotos }
        : { job, as: 'result', distance: ofResult };
    };

    let nearest: readonly NearResult[] = [];
    let after: JobMark | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { jobs, next } = await jobSearch.find({ state: 'done' }, PER_PAGE, after);
      const near = jobs.map(compare).filter((each) => each.distance <= MOST_DISTANCE);
      nearest = [...nearest, ...near].toSorted((a, b) => a.distance - b.distance).slice(0, MOST_FOUND);
      if (next === undefined) break;
      after = next;
      // Others come in between.
      await setImmediate();
    }
    return nearest;
  };
}
