import type { PhotoRef } from './photo.ts';

/** What a user asked for. Each kind is one run endpoint of the generation service. */

export const GENDERS = ['male', 'female', 'boy', 'girl', 'group'] as const;
export const RATIOS = ['portrait', 'landscape', 'square'] as const;
export const QUALITIES = ['v6.1', 'v6'] as const;
export const VIDEO_MODELS = ['simple', 'advanced', 'performance'] as const;
export const DURATIONS = ['4s', '6s', '8s'] as const;
export const ASPECTS = ['auto', '16:9', '9:16', '3:2', '2:3'] as const;

export type Gender = (typeof GENDERS)[number];
export type Ratio = (typeof RATIOS)[number];
export type Quality = (typeof QUALITIES)[number];
export type VideoModel = (typeof VIDEO_MODELS)[number];
export type Duration = (typeof DURATIONS)[number];
export type Aspect = (typeof ASPECTS)[number];

/** Each filter and alias is for one of these. */
export type ModelType = 'face' | 'group';

/** The chosen filter or style. An alias is resolved when the job is submitted. */
export type FilterChoice =
  | { readonly by: 'number'; readonly id: number; readonly name: string }
  | { readonly by: 'uuid'; readonly id: string; readonly name: string }
  | { readonly by: 'alias'; readonly id: string; readonly name: string };

interface FaceSwap {
  readonly photo: PhotoRef;
  readonly filter: FilterChoice;
  readonly gender: Gender;
  readonly ratio?: Ratio;
}

interface GroupSwap {
  readonly photo: PhotoRef;
  readonly style: FilterChoice;
  readonly outpaint: boolean;
}

interface GroupPrompt {
  readonly photos: readonly PhotoRef[];
  readonly prompt: string;
}

export type GenerateRequest =
  | ({ readonly kind: 'face-swap-v6'; readonly quality?: Quality } & FaceSwap)
  | ({ readonly kind: 'face-swap-v5' } & FaceSwap)
  | ({ readonly kind: 'face-swap-v1' } & FaceSwap)
  | {
      readonly kind: 'self-prompt';
      readonly photo: PhotoRef;
      readonly prompt: string;
      readonly gender?: Gender;
      readonly ratio?: Ratio;
    }
  | ({ readonly kind: 'multi-swap-realistic' } & GroupSwap)
  | ({ readonly kind: 'multi-swap-realistic-prompt' } & GroupPrompt)
  | ({ readonly kind: 'multi-swap-stylized' } & GroupSwap)
  | ({ readonly kind: 'multi-swap-stylized-prompt' } & GroupPrompt)
  | {
      readonly kind: 'multi-swap-classic';
      readonly photos: readonly PhotoRef[];
      readonly style: FilterChoice;
    }
  | {
      readonly kind: 'single-frame-video';
      readonly photo: PhotoRef;
      readonly prompt: string;
      readonly model: VideoModel;
      readonly duration: Duration;
      readonly aspect: Aspect;
    }
  | {
      readonly kind: 'first-last-frame-video';
      readonly first: PhotoRef;
      readonly last: PhotoRef;
      readonly prompt: string;
      readonly duration: Duration;
    };

export type JobKind = GenerateRequest['kind'];

const COMMANDS = {
  'face-swap-v6': 'faceswap',
  'face-swap-v5': 'faceswap',
  'face-swap-v1': 'faceswap',
  'self-prompt': 'faceswap',
  'multi-swap-realistic': 'groupswap',
  'multi-swap-realistic-prompt': 'groupswap',
  'multi-swap-stylized': 'groupswap',
  'multi-swap-stylized-prompt': 'groupswap',
  'multi-swap-classic': 'groupswap',
  'single-frame-video': 'animate',
  'first-last-frame-video': 'transition',
} as const satisfies Record<JobKind, string>;

/** The command that makes jobs of this kind; of an unknown kind, the kind itself. */
export function commandOf(kind: string): string {
  return Object.entries(COMMANDS).find(([known]) => known === kind)?.[1] ?? kind;
}

/** The photos that a request is made of. */
export function photosOf(request: GenerateRequest): readonly PhotoRef[] {
  if ('first' in request) return [request.first, request.last];
  return 'photos' in request ? request.photos : [request.photo];
}
