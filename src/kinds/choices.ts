/** What a person can choose of a picture or video. The values are stored, sent to the service and typed the same way everywhere. */

/** In the order of the service's codes, from 0 on. */
export const GENDERS = ['male', 'female', 'boy', 'girl', 'group'] as const;
export const RATIOS = ['portrait', 'landscape', 'square'] as const;
export const QUALITIES = ['v6.1', 'v6'] as const;
export const VIDEO_MODELS = ['simple', 'advanced', 'performance'] as const;
export const DURATIONS = ['4s', '6s', '8s'] as const;
export const ASPECTS = ['auto', '16:9', '9:16', '3:2', '2:3'] as const;

export type Gender = (typeof GENDERS)[number];
export type VideoModel = (typeof VIDEO_MODELS)[number];
export type Duration = (typeof DURATIONS)[number];

/** Each filter and alias is for one of these. */
export type ModelType = 'face' | 'group';

export const CATALOG_NAMES = ['face', 'realistic', 'stylized', 'classic', 'mine'] as const;
export type CatalogName = (typeof CATALOG_NAMES)[number];
/** The lists that numbers refer to: engine v1 has its own, which is not shown in /filters. */
export const LIST_NAMES = [...CATALOG_NAMES, 'face-v1'] as const;
export type ListName = (typeof LIST_NAMES)[number];
