import { UserError } from '../command/errors.ts';
import { shorten } from '../command/shorten.ts';
import type { FilterModel } from '../kinds/choices.ts';
import type { Words } from '../words/words.ts';

type Named = { readonly name: string };
type Typed = { readonly typed: string };
type Near = { readonly near: readonly string[] };
type Limited = { readonly limit: number };
type Past = { readonly time: string; readonly now: string };
type Overlap = { readonly filter: string; readonly from: string; readonly until: string | undefined };
type WrongModel = Named & { readonly needed: FilterModel; readonly found: FilterModel };

/** The texts for all reasons why a request to a community can fail; the parameters of each are the details of its reason. */
function textsIn(words: Words) {
  const {
    communityErrors: said,
    gate,
    approval,
    error,
    alias,
    reference,
    campaign,
    face,
    card,
    removal,
  } = words;
  return {
    'not-moderator': gate.moderatorsOnly,
    'not-owner': approval.ownersOnly,
    'not-a-community': ({ typed }: Typed) => approval.unknownId(shorten(typed, 60)),
    'not-a-person': ({ typed }: Typed) => error.unknownPerson(typed),
    'owners-word': said['owners-word'],
    'everyone-role': said['everyone-role'],
    'filter-is-number': alias.catalogNumber,
    'filter-unknown': ({ typed, near }: Typed & Near) => alias.unknownFilter(typed, near),
    'wrong-model': ({ name, found, needed }: WrongModel) =>
      reference.wrongModel(name, reference.models[found], reference.models[needed]),
    'result-unknown': removal.unknown,
    'result-none': removal.noResult,
    'removals-limit': removal.limit,
    'alias-unknown': ({ name, near }: Named & Near) => said['alias-unknown'](name, near),
    'alias-exists': ({ name }: Named) => said['alias-exists'](name),
    'alias-gone': ({ name }: Named) => said['alias-gone'](name),
    'alias-uncertain': ({ name }: Named) => said['alias-uncertain'](name),
    'alias-limit': ({ limit }: Limited) => said['alias-limit'](limit),
    'alias-limit-person': ({ limit }: Limited) => said['alias-limit-person'](limit),
    'campaign-past': ({ time, now }: Past) => campaign.past(time, now),
    'campaign-order': campaign.order,
    'campaign-overlap': ({ filter, from, until }: Overlap) => campaign.overlap(filter, from, until),
    'campaign-limit': ({ limit }: Limited) => campaign.limit(limit),
    'campaign-none': ({ name }: Named) => campaign.none(name),
    'face-off': face.off,
    'face-shared': face.shared,
    'face-unknown': ({ name }: Named) => face.unknown(name),
    'face-gone': words.press.stale,
    'face-minor': words.failure['no-minors'],
    'face-limit': ({ limit }: Limited) => face.limit(limit),
    'face-busy': face.busy,
    'face-full': face.full,
    'face-saves': ({ limit }: Limited) => face.saves(limit),
    'block-self': said['block-self'],
    'block-owner': said['block-owner'],
    'blocked-limit': ({ limit }: Limited) => said['blocked-limit'](limit),
    'channels-limit': ({ limit }: Limited) => said['channels-limit'](limit),
    'channel-unknown': ({ typed }: Typed) => error.unknownChannel(shorten(typed, 60)),
    'words-limit': ({ limit }: Limited) => said['words-limit'](limit),
    'word-empty': ({ typed }: Typed) => said['word-empty'](typed),
    'credits-limit': ({ limit }: Limited) => said['credits-limit'](limit),
    'allowances-limit': ({ limit }: Limited) => said['allowances-limit'](limit),
    'grants-limit': ({ limit }: Limited) => said['grants-limit'](limit),
    'grant-most': ({ rest, limit }: Limited & { readonly rest: number }) => said['grant-most'](rest, limit),
    'service-unavailable': said['service-unavailable'],
    'service-credentials': card.outage.credentials,
    'service-address': card.outage.address,
    'service-refused': ({ detail }: { readonly detail: string }) => said['service-refused'](detail),
  };
}

type Texts = ReturnType<typeof textsIn>;
type Code = keyof Texts;
type Details = {
  [Which in Code]: Texts[Which] extends (needed: infer Needed) => string ? Needed : unknown;
};
type Reason<Which extends Code> = { readonly code: Which } & Details[Which];

/** The reason of a failure as data, because its text is chosen by language where it is shown. */
export type CommunityErrorReason = { [Which in Code]: Reason<Which> }[Code];

/** Thrown when a request to a community fails for a reason that the person can be told. */
export class CommunityError extends Error {
  override readonly name = 'CommunityError';
  readonly reason: CommunityErrorReason;

  constructor(reason: CommunityErrorReason) {
    super(reason.code);
    this.reason = reason;
  }
}

/** Throws a `CommunityError` with this reason. */
export function refuse(reason: CommunityErrorReason): never {
  throw new CommunityError(reason);
}

/** Makes the error with the text for users, in the user's language. */
export function explainCommunityError<Which extends Code>(reason: Reason<Which>, words: Words): UserError {
  const texts: { readonly [Each in Code]: string | ((details: Details[Each]) => string) } = textsIn(words);
  const text: string | ((details: Details[Which]) => string) = texts[reason.code];
  return new UserError(typeof text === 'string' ? text : text(reason), 'limit');
}
