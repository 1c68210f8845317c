import type { ModelType } from '../command/request.ts';

/** Why a request to a community failed, as data; the text is chosen by language where it is shown. */
export type CommunityErrorReason =
  | { readonly code: 'not-moderator' }
  | { readonly code: 'not-owner' }
  | { readonly code: 'owners-word' }
  | { readonly code: 'not-a-community'; readonly typed: string }
  | { readonly code: 'alias-exists'; readonly name: string }
  | { readonly code: 'alias-unknown'; readonly name: string; readonly near: readonly string[] }
  | { readonly code: 'alias-gone'; readonly name: string }
  | { readonly code: 'alias-limit' | 'alias-limit-person'; readonly limit: number }
  | { readonly code: 'alias-uncertain'; readonly name: string }
  | { readonly code: 'filter-is-number'; readonly typed: string }
  | { readonly code: 'filter-unknown'; readonly typed: string; readonly near: readonly string[] }
  | {
      readonly code: 'wrong-model';
      readonly name: string;
      readonly needed: ModelType;
      readonly found: ModelType;
    }
  | { readonly code: 'campaign-past'; readonly time: string; readonly now: string }
  | { readonly code: 'campaign-order' }
  | {
      readonly code: 'campaign-overlap';
      readonly filter: string;
      readonly from: string;
      readonly until: string | undefined;
    }
  | { readonly code: 'campaign-limit'; readonly limit: number }
  | { readonly code: 'campaign-none'; readonly name: string }
  | { readonly code: 'face-off' }
  | { readonly code: 'face-shared' }
  | { readonly code: 'face-unknown'; readonly name: string }
  | { readonly code: 'face-gone' }
  | { readonly code: 'face-limit'; readonly limit: number }
  | { readonly code: 'face-busy' }
  | { readonly code: 'face-full' }
  | { readonly code: 'face-saves'; readonly limit: number }
  | { readonly code: 'not-a-person'; readonly typed: string }
  | { readonly code: 'block-self' }
  | { readonly code: 'block-owner' }
  | { readonly code: 'blocked-limit'; readonly limit: number }
  | { readonly code: 'channels-limit'; readonly limit: number }
  | { readonly code: 'channel-unknown'; readonly typed: string }
  | { readonly code: 'words-limit'; readonly limit: number }
  | { readonly code: 'allowances-limit'; readonly limit: number }
  | { readonly code: 'everyone-role' }
  | { readonly code: 'grants-limit'; readonly limit: number }
  | { readonly code: 'grant-most'; readonly limit: number; readonly rest: number }
  | { readonly code: 'credits-limit'; readonly limit: number }
  | { readonly code: 'word-empty'; readonly typed: string }
  | { readonly code: 'service-unavailable' }
  | { readonly code: 'service-credentials' }
  | { readonly code: 'service-address' }
  | { readonly code: 'service-refused'; readonly detail: string };

export class CommunityError extends Error {
  override readonly name = 'CommunityError';
  readonly reason: CommunityErrorReason;

  constructor(reason: CommunityErrorReason) {
    super(reason.code);
    this.reason = reason;
  }
}
