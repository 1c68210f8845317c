import type { HttpFault, ServiceScript } from '../../../src/generation-service/interface/script.ts';
import { sizeOf } from '../../fakes/picture-size.ts';
import type { Chance } from '../kill/chance.ts';
import { resultOf } from '../stage/pictures.ts';

/** Which of them it is. */
export const numberOf = (bytes: Uint8Array): number => (sizeOf(bytes)?.width ?? 0) - 60;

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

export interface WildService {
  readonly script: ServiceScript;
  /** Which picture came of which of its jobs. */
  readonly made: ReadonlyMap<string, number>;
  /** From now on nothing goes wrong. */
  tame(): void;
}

/** A service that does to one call in six whatever can go wrong, until it is told to behave. */
export const createWildService = async (chance: Chance, mostJobs: number): Promise<WildService> => {
  // Each a picture of its own, told apart by its width.
  const pictures = await Promise.all(
    Array.from({ length: mostJobs + 1 }, (_, count) => resultOf('#e0a010', 60 + count)),
  );
  let isWild = true;
  const made = new Map<string, number>();
  const script: ServiceScript = {
    http: () => (isWild && chance.next() < 1 / 6 ? chance.pick(faults) : undefined),
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
    tame: () => {
      isWild = false;
    },
  };
};
