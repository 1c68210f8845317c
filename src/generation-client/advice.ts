const byCode = new Map<string, string>([
  ['INVALID_IMAGE', 'The service could not read this picture. Try another photo (JPEG, PNG or WebP).'],
  ['FILTER_NOT_FOUND', 'This filter does not exist. Pick one from /filters.'],
  ['FILTER_BLOCKED', 'This filter does not work for this kind of photo (single or group). Pick another one.'],
  // Not a code of the interface, which has this error but does not show its code.
  ['FILTER_TYPE_MISMATCH', 'This filter is made for the other kind of swap. Pick one made for this command.'],
  ['WORKFLOW_FETCH_FAILED', 'This custom filter could not be loaded. Check it, or pick another one.'],
  ['INVALID_QUALITY_MODE', 'The quality must be v6.1 or v6.'],
  ['INVALID_ASPECT_RATIO_FOR_MODEL', 'Choose the model "performance", or leave the aspect at "auto".'],
  ['INVALID_VIDEO_MODEL', 'This model does not make this kind of video. Choose another model.'],
]);

const byKind = {
  rule: 'Change the request and try again.',
  refused: 'The service refused this request. Try another photo, filter or text.',
  unauthorized: 'The bot is not allowed in at the service. Its owner must check the key and the token.',
  credits: "The bot's account at the service is out of credits. Its owner must top it up.",
  'not-found': 'The service does not know this (any more). Pick another one, or start again.',
  'rate-limited': 'The service is busy. Try again in a moment.',
  unavailable: 'The service has a problem right now. Try again in a few minutes.',
  unreachable: 'The service cannot be reached right now. Nothing was charged; try again later.',
  'unknown-outcome':
    'It is not certain whether this was submitted. Trying again may cost credits a second time.',
  'bad-response': 'The service answered with something unexpected. Try again in a few minutes.',
  'unusable-result': 'The service sent a result that cannot be used. Try again.',
  aborted: 'This was stopped before it finished. Try again.',
} as const;

/** What a person can do about a failure; the code of the service is the most precise hint there is. */
export function adviceFor(failure: {
  kind: keyof typeof byKind;
  code?: string | undefined;
  status?: number | undefined;
}): string {
  const precise = failure.code === undefined ? undefined : byCode.get(failure.code.toUpperCase());
  if (precise !== undefined) return precise;
  if (failure.status === 413) return 'The photo is too large for the service. Try a smaller one.';
  return byKind[failure.kind];
}
