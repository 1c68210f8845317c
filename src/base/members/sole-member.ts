import { randomUUID } from 'node:crypto';
import type { Members } from './members.ts';

/** The only process on its store: it has every lock at once, and never loses one. */
export const soleMember: Members = {
  id: () => '1',
  process: randomUUID(),
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
