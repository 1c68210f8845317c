import type { Orchestrator } from '../../src/orchestrator/orchestrator.ts';

const outages = { key: undefined, token: undefined };

/** An orchestrator that has nothing to do, and no outages. */
export const idleOrchestrator: Pick<Orchestrator, 'outages' | 'outagesMet'> = {
  outages: () => outages,
  outagesMet: () => outages,
};
