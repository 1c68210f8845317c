import { it } from 'vitest';
import { expectModelHolds } from '../../fakes/orchestrator-model.ts';

// Hundreds of events each; model-rounds.test.ts has more of them.
it.each([
  ['at once', 8],
  ['late, in any order', 2],
] as const)(
  'the orchestrator keeps its accounts and ends every job once, whatever happens, with a store that answers %s',
  (answers, rounds) => expectModelHolds(answers, rounds),
  120_000,
);
