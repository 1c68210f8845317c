import { UserError } from '../command/errors.ts';
import type { ModelType } from '../command/request.ts';
import { shorten } from '../command/shorten.ts';
import type { Words } from '../words/words.ts';

type Named = { readonly name: string };
type Typed = { readonly typed: string };
type Near = { readonly near: readonly string[] };
type Limited = { readonly limit: number };
type Past = { readonly time: string; readonly now: string };
type Overlap = { readonly filter: string; readonly from: string; readonly until: string | undefined };
type WrongModel = Named & { readonly needed: ModelType; readonly found: ModelType };

/** Why a request to a community can fail, each with its text and what that needs. */
const TEXTS = {
  'not-moderator': ({ gate }: Words) => gate.moderatorsOnly,
  'not-owner': ({ approval }: Words) => approval.ownersOnly,
  'not-a-community': ({ approval }: Words, { typed }: Typed) => approval.unknownId(shorten(typed, 60)),
  'not-a-person': ({ error }: Words, { typed }: Typed) => error.unknownPerson(typed),
  'owners-word': ({ communityErrors: said }: Words) => said['owners-word'],
  'everyone-role': ({ communityErrors: said }: Words) => said['everyone-role'],
  'filter-is-number': ({ alias }: Words) => alias.catalogNumber,
  'filter-unknown': ({ alias }: Words, { typed, near }: Typed & Near) => alias.unknownFilter(typed, near),
  'wrong-model': ({ reference: { models, wrongModel } }: Words, { name, found, needed }: WrongModel) =>
    wrongModel(name, models[found], models[needed]),
  'alias-unknown': ({ communityErrors: said }: Words, { name, near }: Named & Near) =>
    said['alias-unknown'](name, near),
  'alias-exists': ({ communityErrors: said }: Words, { name }: Named) => said['alias-exists'](name),
  'alias-gone': ({ communityErrors: said }: Words, { name }: Named) => said['alias-gone'](name),
  'alias-uncertain': ({ communityErrors: said }: Words, { name }: Named) => said['alias-uncertain'](name),
  'alias-limit': ({ communityErrors: said }: Words, { limit }: Limited) => said['alias-limit'](limit),
  'alias-limit-person': ({ communityErrors: said }: Words, { limit }: Limited) =>
    said['alias-limit-person'](limit),
  'campaign-past': ({ campaign }: Words, { time, now }: Past) => campaign.past(time, now),
  'campaign-order': ({ campaign }: Words) => campaign.order,
  'campaign-overlap': ({ campaign }: Words, { filter, from, until }: Overlap) =>
    campaign.overlap(filter, from, until),
  'campaign-limit': ({ campaign }: Words, { limit }: Limited) => campaign.limit(limit),
  'campaign-none': ({ campaign }: Words, { name }: Named) => campaign.none(name),
  'face-off': ({ face }: Words) => face.off,
  'face-shared': ({ face }: Words) => face.shared,
  'face-unknown': ({ face }: Words, { name }: Named) => face.unknown(name),
  'face-gone': ({ press }: Words) => press.stale,
  'face-limit': ({ face }: Words, { limit }: Limited) => face.limit(limit),
  'face-busy': ({ face }: Words) => face.busy,
  'face-full': ({ face }: Words) => face.full,
  'face-saves': ({ face }: Words, { limit }: Limited) => face.saves(limit),
  'block-self': ({ communityErrors: said }: Words) => said['block-self'],
  'block-owner': ({ communityErrors: said }: Words) => said['block-owner'],
  'blocked-limit': ({ communityErrors: said }: Words, { limit }: Limited) => said['blocked-limit'](limit),
  'channels-limit': ({ communityErrors: said }: Words, { limit }: Limited) => said['channels-limit'](limit),
  'channel-unknown': ({ error }: Words, { typed }: Typed) => error.unknownChannel(shorten(typed, 60)),
  'words-limit': ({ communityErrors: said }: Words, { limit }: Limited) => said['words-limit'](limit),
  'word-empty': ({ communityErrors: said }: Words, { typed }: Typed) => said['word-empty'](typed),
  'credits-limit': ({ communityErrors: said }: Words, { limit }: Limited) => said['credits-limit'](limit),
  'allowances-limit': ({ communityErrors: said }: Words, { limit }: Limited) =>
    said['allowances-limit'](limit),
  'grants-limit': ({ communityErrors: said }: Words, { limit }: Limited) => said['grants-limit'](limit),
  'grant-most': ({ communityErrors: said }: Words, { rest, limit }: Limited & { readonly rest: number }) =>
    said['grant-most'](rest, limit),
  'service-unavailable': ({ communityErrors: said }: Words) => said['service-unavailable'],
  'service-credentials': ({ card }: Words) => card.outage.credentials,
  'service-address': ({ card }: Words) => card.outage.address,
  'service-refused': ({ communityErrors: said }: Words, { detail }: { readonly detail: string }) =>
    said['service-refused'](detail),
};

type Code = keyof typeof TEXTS;
type Details = {
  [Which in Code]: (typeof TEXTS)[Which] extends (words: Words, needed: infer Needed) => string
    ? Needed
    : never;
};
type Reason<Which extends Code> = { readonly code: Which } & Details[Which];

/** The reason as data: the text is chosen by language where it is shown. */
export type CommunityErrorReason = { [Which in Code]: Reason<Which> }[Code];

export class CommunityError extends Error {
  override readonly name = 'CommunityError';
  readonly reason: CommunityErrorReason;

  constructor(reason: CommunityErrorReason) {
    super(reason.code);
    this.reason = reason;
  }
}

/** The text for users, in the user's language. */
export function explainCommunityError<Which extends Code>(reason: Reason<Which>, words: Words): UserError {
  const texts: { readonly [Each in Code]: (words: Words, details: Details[Each]) => string } = TEXTS;
  return new UserError(texts[reason.code](words, reason), 'limit');
}
