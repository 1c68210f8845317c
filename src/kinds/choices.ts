/**
 * The values that a person can choose for a picture or video. They are stored, sent to the service and typed the same way
 * everywhere.
 */

/** Genders in the order of the service's numeric codes, which begin at 0. */
export const GENDERS = ['male', 'female', 'boy', 'girl', 'group'] as const;
/** The genders that stand for children; the others are `ADULTS`, in the same order. */
export const MINORS = ['boy', 'girl'] as const;
export const ADULTS = ['male', 'female', 'group'] as const;
export const PICTURE_RATIOS = ['portrait', 'landscape', 'square'] as const;
export const QUALITIES = ['v6.1', 'v6'] as const;
export const VIDEO_MODELS = ['simple', 'advanced', 'performance'] as const;
export const VIDEO_DURATIONS = ['4s', '6s', '8s'] as const;
export const VIDEO_ASPECTS = ['auto', '16:9', '9:16', '3:2', '2:3'] as const;

export type Gender = (typeof GENDERS)[number];
/** Whether a gender stands for a child. */
export const isMinor = (gender: unknown): boolean => MINORS.some((minor) => minor === gender);
export type VideoModel = (typeof VIDEO_MODELS)[number];
export type VideoDuration = (typeof VIDEO_DURATIONS)[number];

/** The model that a filter or alias is made for: one face, or a group. */
export type FilterModel = 'face' | 'group';

/** The catalogs that /filters shows. */
export const CATALOG_NAMES = ['face', 'realistic', 'stylized', 'classic', 'mine'] as const;
/** A catalog that /filters shows. */
export type CatalogName = (typeof CATALOG_NAMES)[number];
/** The lists that filter numbers can refer to. Engine v1 has a list of its own, which /filters does not show. */
export const FILTER_LIST_NAMES = [...CATALOG_NAMES, 'face-v1'] as const;
/** A list that filter numbers can refer to. */
export type FilterListName = (typeof FILTER_LIST_NAMES)[number];
