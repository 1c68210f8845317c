import { UserError } from '../command/errors.ts';
import type { Words } from '../words/words.ts';
import type { Problem } from './problem.ts';

const textOf = (problem: Problem, words: Words): string => {
  const { problems, reference } = words;
  switch (problem.code) {
    case 'not-moderator':
      return words.gate.moderatorsOnly;
    case 'filter-is-number':
      return words.alias.catalogNumber;
    case 'filter-unknown':
      return words.alias.unknownFilter(problem.typed, problem.near);
    case 'wrong-model':
      return reference.wrongModel(
        problem.name,
        reference.models[problem.found],
        reference.models[problem.needed],
      );
    case 'alias-unknown':
      return problems['alias-unknown'](problem.name, problem.near);
    case 'alias-exists':
    case 'alias-gone':
    case 'alias-uncertain':
      return problems[problem.code](problem.name);
    case 'alias-limit':
    case 'blocked-limit':
    case 'words-limit':
      return problems[problem.code](problem.limit);
    case 'word-empty':
      return problems['word-empty'](problem.typed);
    case 'block-self':
    case 'block-owner':
    case 'service-unavailable':
      return problems[problem.code];
    case 'service-credentials':
      return words.card.outage.credentials;
    case 'service-address':
      return words.card.outage.address;
    case 'service-refused':
      return problems['service-refused'](problem.detail);
  }
};

/** The message of a problem in the user's language. */
export const explainProblem = (problem: Problem, words: Words): UserError =>
  new UserError(textOf(problem, words), 'limit');
