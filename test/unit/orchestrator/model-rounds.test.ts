// @module-tag slow
// @module-tag longest
import { it } from 'vitest';
import { expectModelHolds } from '../../fakes/orchestrator-model.ts';

/** More for a longer night: MODEL_RUNS=1000 npx vitest run --project slow test/unit/orchestrator/model-rounds.test.ts */
const { MODEL_RUNS } = process.env;

it.each([
  { answers: 'at once', rounds: 40 },
  { answers: 'late, in any order', rounds: 10 },
] as const)(
  'the orchestrator keeps its accounts in many rounds, with a store that answers $answers',
  ({ answers, rounds }) => expectModelHolds(answers, Number(MODEL_RUNS ?? rounds)),
  600_000,
);
