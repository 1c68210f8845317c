import type { Orchestrator } from '../../src/orchestrator/orchestrator.ts';

const outages = { key: undefined, token: undefined };

/** One that has nothing to do, and nothing to complain of. */
export const idleOrchestrator: Pick<Orchestrator, 'outages' | 'outagesMet'> = {
  outages: () => outages,
  outagesMet: () => outages,
};
