import { sizeOf } from '../../../fakes/picture-size.ts';
import type { HttpFault } from '../../../fakes/service/script.ts';
import { resultOf } from '../../stage/pictures.ts';
import type { StageOptions } from '../../stage/stage.ts';
import type { Chance } from '../kill/chance.ts';

/** The width of picture number 0; each further picture is a pixel wider, so that its width tells its number. */
const FIRST_WIDTH = 60;

/** The number of a picture that the service made. */
export const numberOf = (bytes: Uint8Array): number => (sizeOf(bytes)?.width ?? 0) - FIRST_WIDTH;

const faults: readonly [HttpFault, ...HttpFault[]] = [
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502, body: '<html>', when: 'after' },
  { kind: 'reset' },
  { kind: 'reset', when: 'after' },
  { kind: 'garbage' },
  { kind: 'garbage', when: 'after' },
  { kind: 'delay', delayMs: 300 },
];

export type FaultyService = Awaited<ReturnType<typeof createFaultyService>>;

/** A service that fails one call in six, in any way, until `stopFaults`. */
export const createFaultyService = async (chance: Chance, mostJobs: number) => {
  const pictures = await Promise.all(
    Array.from({ length: mostJobs + 1 }, (_, count) => resultOf('#e0a010', FIRST_WIDTH + count)),
  );
  let isFaulty = true;
  /** The numbers of the pictures, by the job's id at the service. */
  const made = new Map<string, number>();
  const script: Pick<StageOptions, 'http' | 'jobs'> = {
    http: () => (isFaulty && chance.next() < 1 / 6 ? chance.pick(faults) : undefined),
    jobs({ id, count }) {
      made.set(id, count);
      const pace = { queuedMs: 0, runningMs: Math.round(chance.between(20, 400)) };
      const result = pictures[count];
      return chance.next() < 0.1 || result === undefined
        ? { ...pace, failure: 'no paint' }
        : { ...pace, result };
    },
  };
  return {
    script,
    made,
    /** From now on no call fails. */
    stopFaults: () => {
      isFaulty = false;
    },
  };
};
