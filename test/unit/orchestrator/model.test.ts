import { it } from 'vitest';
import { expectModelHolds } from '../../fakes/orchestrator-model.ts';

// Hundreds of events each; model-rounds.test.ts has more of them.
it.each([
  { answers: 'at once', rounds: 8 },
  { answers: 'late, in any order', rounds: 2 },
] as const)(
  'the orchestrator keeps its accounts and ends every job once, whatever happens, with a store that answers $answers',
  ({ answers, rounds }) => expectModelHolds(answers, rounds),
  120_000,
);
