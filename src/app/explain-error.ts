import { UserError } from '../command/errors.ts';
import { CommunityError } from '../community/community-error.ts';
import { explainCommunityError } from '../community/explain-community-error.ts';
import { GenerationError } from '../generation-client/wire/errors.ts';
import { Refusal, type RefusalReason } from '../orchestrator/job/refusal.ts';
import { roughly } from '../words/time.ts';
import type { Words } from '../words/words.ts';

function refusalWords(reason: RefusalReason, now: number, { limits, notes }: Words): string {
  switch (reason.code) {
    case 'rate':
      return limits.rate(reason.limit, roughly(reason.retryAfterMs));
    case 'waiting':
      return limits.waiting(reason.unfinished, reason.limit);
    case 'deleted':
      return notes.deleted;
    case 'allowance':
      return limits.allowance(reason.needed, reason.left, roughly(reason.resetsAt - now));
    case 'ceiling':
      return reason.of === 'service'
        ? limits.serviceCeiling(roughly(reason.resetsAt - now))
        : limits.communityCeiling(reason.needed, reason.left, roughly(reason.resetsAt - now));
  }
}

/** Turns refusals, which are plain data, into errors with text in the person's language. */
export function explain(error: unknown, words: Words, now: number): unknown {
  if (error instanceof Refusal) return new UserError(refusalWords(error.reason, now, words), 'limit');
  if (error instanceof CommunityError) return explainCommunityError(error.reason, words);
  if (error instanceof GenerationError && error.kind === 'rule')
    return new UserError(error.detail ?? error.message);
  return error;
}
