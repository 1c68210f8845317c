/** What a person has to change before the service takes the request; whoever shows it has the words. */
export type RefusalReason =
  | 'filter-unknown'
  | 'filter-unfit'
  | 'filter-broken'
  | 'photo-unreadable'
  | 'photo-too-large'
  | 'options-unfit';

const byCode = new Map<string, RefusalReason>([
  ['INVALID_IMAGE', 'photo-unreadable'],
  ['FILTER_NOT_FOUND', 'filter-unknown'],
  ['FILTER_BLOCKED', 'filter-unfit'],
  // Not a code of the interface, which has this error but does not show its code.
  ['FILTER_TYPE_MISMATCH', 'filter-unfit'],
  ['WORKFLOW_FETCH_FAILED', 'filter-broken'],
  ['INVALID_QUALITY_MODE', 'options-unfit'],
  ['INVALID_ASPECT_RATIO_FOR_MODEL', 'options-unfit'],
  ['INVALID_VIDEO_MODEL', 'options-unfit'],
]);

/** The code of the service is the most precise hint there is. */
export const refusalReason = (failure: {
  readonly code?: string | undefined;
  readonly status?: number | undefined;
}): RefusalReason | undefined =>
  byCode.get(failure.code?.toUpperCase() ?? '') ?? (failure.status === 413 ? 'photo-too-large' : undefined);
