/** What a user has to change so that the service accepts the request. */
export type ServiceRefusalReason =
  | 'filter-unknown'
  | 'filter-unfit'
  | 'filter-broken'
  | 'photo-unreadable'
  | 'photo-too-large'
  | 'options-unfit';

const BY_CODE = new Map<string, ServiceRefusalReason>([
  ['INVALID_IMAGE', 'photo-unreadable'],
  ['FILTER_NOT_FOUND', 'filter-unknown'],
  ['FILTER_BLOCKED', 'filter-unfit'],
  // Our guess: the interface describes this error without its code.
  ['FILTER_TYPE_MISMATCH', 'filter-unfit'],
  ['WORKFLOW_FETCH_FAILED', 'filter-broken'],
  ['INVALID_QUALITY_MODE', 'options-unfit'],
  ['INVALID_ASPECT_RATIO_FOR_MODEL', 'options-unfit'],
  ['INVALID_VIDEO_MODEL', 'options-unfit'],
]);

export function refusalReason(failure: {
  readonly code?: string | undefined;
  readonly status?: number | undefined;
}): ServiceRefusalReason | undefined {
  return (
    BY_CODE.get(failure.code?.toUpperCase() ?? '') ?? (failure.status === 413 ? 'photo-too-large' : undefined)
  );
}
