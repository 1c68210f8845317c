import type { Orchestrator } from '../../src/orchestrator/orchestrator.ts';

const outages = { key: undefined, token: undefined };

/** One that has nothing to do, and nothing to complain of. */
export const idleOrchestrator: Pick<Orchestrator, 'outages' | 'stats'> = {
  outages: () => outages,
  stats: async () => ({ waiting: 0, running: 0, steps: 0, submissions: 0, outages }),
};
