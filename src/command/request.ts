/** What can be chosen in a request. */

export const GENDERS = ['male', 'female', 'boy', 'girl', 'group'] as const;
export const RATIOS = ['portrait', 'landscape', 'square'] as const;
export const QUALITIES = ['v6.1', 'v6'] as const;
export const VIDEO_MODELS = ['simple', 'advanced', 'performance'] as const;
export const DURATIONS = ['4s', '6s', '8s'] as const;
export const ASPECTS = ['auto', '16:9', '9:16', '3:2', '2:3'] as const;

export type Gender = (typeof GENDERS)[number];

/** Each filter and alias is for one of these. */
export type ModelType = 'face' | 'group';

/** The chosen filter or style. An alias is resolved when the job is submitted. */
export type FilterChoice =
  | { readonly by: 'number'; readonly id: number; readonly name: string }
  | { readonly by: 'uuid' | 'alias'; readonly id: string; readonly name: string };

export const CATALOG_NAMES = ['face', 'realistic', 'stylized', 'classic', 'mine'] as const;
export type CatalogName = (typeof CATALOG_NAMES)[number];
/** The lists that numbers refer to: engine v1 has its own, which is not shown in /filters. */
export const LIST_NAMES = [...CATALOG_NAMES, 'face-v1'] as const;
export type ListName = (typeof LIST_NAMES)[number];
