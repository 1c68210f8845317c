import { UserError } from '../command/errors.ts';
import { shorten } from '../command/shorten.ts';
import type { Words } from '../words/words.ts';
import type { CommunityErrorReason } from './community-error.ts';

function textOf(reason: CommunityErrorReason, words: Words): string {
  const { communityErrors, reference } = words;
  switch (reason.code) {
    case 'not-moderator':
      return words.gate.moderatorsOnly;
    case 'not-owner':
      return words.approval.ownersOnly;
    case 'not-a-community':
      return words.approval.unknownId(shorten(reason.typed, 60));
    case 'filter-is-number':
      return words.alias.catalogNumber;
    case 'filter-unknown':
      return words.alias.unknownFilter(reason.typed, reason.near);
    case 'wrong-model':
      return reference.wrongModel(
        reason.name,
        reference.models[reason.found],
        reference.models[reason.needed],
      );
    case 'alias-unknown':
      return communityErrors['alias-unknown'](reason.name, reason.near);
    case 'alias-exists':
    case 'alias-gone':
    case 'alias-uncertain':
      return communityErrors[reason.code](reason.name);
    case 'alias-limit':
    case 'alias-limit-person':
    case 'blocked-limit':
    case 'channels-limit':
    case 'words-limit':
    case 'credits-limit':
    case 'allowances-limit':
    case 'grants-limit':
      return communityErrors[reason.code](reason.limit);
    case 'grant-most':
      return communityErrors['grant-most'](reason.rest, reason.limit);
    case 'word-empty':
      return communityErrors['word-empty'](reason.typed);
    case 'campaign-past':
      return words.campaign.past(reason.time, reason.now);
    case 'campaign-order':
      return words.campaign.order;
    case 'campaign-overlap':
      return words.campaign.overlap(reason.filter, reason.from, reason.until);
    case 'campaign-limit':
      return words.campaign.limit(reason.limit);
    case 'campaign-none':
      return words.campaign.none(reason.name);
    case 'face-off':
      return words.face.off;
    case 'face-shared':
      return words.face.shared;
    case 'face-unknown':
      return words.face.unknown(reason.name);
    case 'face-gone':
      return words.press.stale;
    case 'face-limit':
      return words.face.limit(reason.limit);
    case 'face-busy':
      return words.face.busy;
    case 'face-full':
      return words.face.full;
    case 'face-saves':
      return words.face.saves(reason.limit);
    case 'not-a-person':
      return words.error.unknownPerson(reason.typed);
    case 'channel-unknown':
      return words.error.unknownChannel(shorten(reason.typed, 60));
    case 'owners-word':
    case 'everyone-role':
    case 'block-self':
    case 'block-owner':
    case 'service-unavailable':
      return communityErrors[reason.code];
    case 'service-credentials':
      return words.card.outage.credentials;
    case 'service-address':
      return words.card.outage.address;
    case 'service-refused':
      return communityErrors['service-refused'](reason.detail);
  }
}

/** The text for users, in the user's language. */
export function explainCommunityError(reason: CommunityErrorReason, words: Words): UserError {
  return new UserError(textOf(reason, words), 'limit');
}
