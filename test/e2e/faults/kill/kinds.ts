/** Requests in the suites of kills and power cuts: one for each end that a job can have. */
export const kinds: readonly [
  prompt: string,
  more?: { readonly cancelAfterMs?: number; readonly photos?: number },
][] = [
  ['a portrait'],
  ['a landscape'],
  ['refused by the service'],
  ['turned away at first'],
  ['failing at the service'],
  ['cancelled early', { cancelAfterMs: 0 }],
  ['cancelled later', { cancelAfterMs: 15 }],
  ['an album', { photos: 3 }],
  ['an album, cancelled in part', { photos: 2, cancelAfterMs: 15 }],
];
