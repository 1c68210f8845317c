import { randomInt, randomUUID } from 'node:crypto';
import type { Members } from '../base/members/members.ts';

const process = randomUUID();

/** The only process on its store: it has every lock at once, and never loses one. */
export function createSoleMember(): Members {
  // What an earlier process claimed is not claimed by this one.
  const id = String(randomInt(1, 2 ** 31));
  return {
    id: () => id,
    process,
    isAlive: () => true,
    count: () => 1,
    list: async () => [],
    async hold(_name, work, until) {
      if (!until.aborted) await work(until);
    },
    async keep(_name, work, until) {
      if (!until.aborted) await work(until, () => true);
    },
    renew: async () => undefined,
    watch: () => () => undefined,
  };
}
