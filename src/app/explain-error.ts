import { UserError } from '../command/errors.ts';
import { type Caller, isSharedSpeaker, personKey } from '../command/place.ts';
import {
  CommunityError,
  type CommunityErrorReason,
  explainCommunityError,
} from '../community/community-error.ts';
import { GenerationError } from '../generation-client/wire/errors.ts';
import { type OrderRefusalReason, OrderRefused } from '../orchestrator/job/order-refused.ts';
import { roughly } from '../words/time.ts';
import type { Words } from '../words/words.ts';

function refusalWords(reason: OrderRefusalReason, now: number, { limits, notes, stats }: Words): string {
  switch (reason.code) {
    case 'rate':
      return limits.rate(reason.limit, roughly(reason.retryAfterMs));
    case 'waiting':
      return limits.waiting(reason.unfinished, reason.limit);
    case 'album': {
      const { photos, fits, later } = reason;
      return later === undefined
        ? limits.album(photos, fits)
        : limits.albumLater(photos, fits, later.more, roughly(later.afterMs));
    }
    case 'deleted':
      return notes.deleted;
    case 'allowance':
      return limits.allowance(reason.needed, reason.left, roughly(reason.resetsAt - now));
    case 'ceiling':
      if (reason.of === 'month') return limits.monthCeiling(stats.date(reason.resetsAt));
      return reason.of === 'service'
        ? limits.serviceCeiling(roughly(reason.resetsAt - now))
        : limits.communityCeiling(reason.needed, reason.left, roughly(reason.resetsAt - now));
  }
}

/** Shared speakers have these together (`turnKey`). */
const SHARED_LIMITS: readonly (OrderRefusalReason | CommunityErrorReason)['code'][] = [
  'rate',
  'waiting',
  'album',
  'alias-limit-person',
];

/** Turns refusals, which are plain data, into errors with text in the person's language. */
export function explainError(error: unknown, words: Words, caller: Caller, now: number): unknown {
  if (error instanceof OrderRefused || error instanceof CommunityError) {
    const explained =
      error instanceof OrderRefused
        ? new UserError(refusalWords(error.reason, now, words), 'limit')
        : explainCommunityError(error.reason, words);
    const isShared = isSharedSpeaker(personKey(caller)) && SHARED_LIMITS.includes(error.reason.code);
    return isShared ? new UserError(`${explained.message} ${words.limits.shared}`, 'limit') : explained;
  }
  if (error instanceof GenerationError && error.kind === 'rule')
    return new UserError(error.detail ?? error.message);
  return error;
}
