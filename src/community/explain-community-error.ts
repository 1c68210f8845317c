import { UserError } from '../command/errors.ts';
import { shorten } from '../command/shorten.ts';
import type { Words } from '../words/words.ts';
import type { CommunityErrorReason } from './community-error.ts';

type Code = CommunityErrorReason['code'];
type Explain<Which extends Code> = (
  words: Words,
  reason: Extract<CommunityErrorReason, { readonly code: Which }>,
) => string;

const TEXTS: { readonly [Which in Code]: Explain<Which> } = {
  'not-moderator': ({ gate }) => gate.moderatorsOnly,
  'not-owner': ({ approval }) => approval.ownersOnly,
  'not-a-community': ({ approval }, { typed }) => approval.unknownId(shorten(typed, 60)),
  'not-a-person': ({ error }, { typed }) => error.unknownPerson(typed),
  'owners-word': ({ communityErrors: said }) => said['owners-word'],
  'everyone-role': ({ communityErrors: said }) => said['everyone-role'],
  'filter-is-number': ({ alias }) => alias.catalogNumber,
  'filter-unknown': ({ alias }, { typed, near }) => alias.unknownFilter(typed, near),
  'wrong-model': ({ reference: { models, wrongModel } }, { name, found, needed }) =>
    wrongModel(name, models[found], models[needed]),
  'alias-unknown': ({ communityErrors: said }, { name, near }) => said['alias-unknown'](name, near),
  'alias-exists': ({ communityErrors: said }, { name }) => said['alias-exists'](name),
  'alias-gone': ({ communityErrors: said }, { name }) => said['alias-gone'](name),
  'alias-uncertain': ({ communityErrors: said }, { name }) => said['alias-uncertain'](name),
  'alias-limit': ({ communityErrors: said }, { limit }) => said['alias-limit'](limit),
  'alias-limit-person': ({ communityErrors: said }, { limit }) => said['alias-limit-person'](limit),
  'campaign-past': ({ campaign }, { time, now }) => campaign.past(time, now),
  'campaign-order': ({ campaign }) => campaign.order,
  'campaign-overlap': ({ campaign }, { filter, from, until }) => campaign.overlap(filter, from, until),
  'campaign-limit': ({ campaign }, { limit }) => campaign.limit(limit),
  'campaign-none': ({ campaign }, { name }) => campaign.none(name),
  'face-off': ({ face }) => face.off,
  'face-shared': ({ face }) => face.shared,
  'face-unknown': ({ face }, { name }) => face.unknown(name),
  'face-gone': ({ press }) => press.stale,
  'face-limit': ({ face }, { limit }) => face.limit(limit),
  'face-busy': ({ face }) => face.busy,
  'face-full': ({ face }) => face.full,
  'face-saves': ({ face }, { limit }) => face.saves(limit),
  'block-self': ({ communityErrors: said }) => said['block-self'],
  'block-owner': ({ communityErrors: said }) => said['block-owner'],
  'blocked-limit': ({ communityErrors: said }, { limit }) => said['blocked-limit'](limit),
  'channels-limit': ({ communityErrors: said }, { limit }) => said['channels-limit'](limit),
  'channel-unknown': ({ error }, { typed }) => error.unknownChannel(shorten(typed, 60)),
  'words-limit': ({ communityErrors: said }, { limit }) => said['words-limit'](limit),
  'word-empty': ({ communityErrors: said }, { typed }) => said['word-empty'](typed),
  'credits-limit': ({ communityErrors: said }, { limit }) => said['credits-limit'](limit),
  'allowances-limit': ({ communityErrors: said }, { limit }) => said['allowances-limit'](limit),
  'grants-limit': ({ communityErrors: said }, { limit }) => said['grants-limit'](limit),
  'grant-most': ({ communityErrors: said }, { rest, limit }) => said['grant-most'](rest, limit),
  'service-unavailable': ({ communityErrors: said }) => said['service-unavailable'],
  'service-credentials': ({ card }) => card.outage.credentials,
  'service-address': ({ card }) => card.outage.address,
  'service-refused': ({ communityErrors: said }, { detail }) => said['service-refused'](detail),
};

/** The text for users, in the user's language. */
export function explainCommunityError<Which extends Code>(
  reason: Extract<CommunityErrorReason, { readonly code: Which }> & { readonly code: Which },
  words: Words,
): UserError {
  return new UserError(TEXTS[reason.code](words, reason), 'limit');
}
