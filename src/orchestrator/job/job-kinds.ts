import type { JobKind } from '../../command/request.ts';

/** The two halves of the service: each has credentials, durations and troubles of its own. */
export type Credentials = 'key' | 'token';

const OUTPUTS = {
  'face-swap-v6': 'image',
  'face-swap-v5': 'image',
  'face-swap-v1': 'image',
  'self-prompt': 'image',
  'multi-swap-realistic': 'image',
  'multi-swap-realistic-prompt': 'image',
  'multi-swap-stylized': 'image',
  'multi-swap-stylized-prompt': 'image',
  'multi-swap-classic': 'image',
  'single-frame-video': 'video',
  'first-last-frame-video': 'video',
} as const satisfies Record<JobKind, 'image' | 'video'>;

export function outputOf(kind: JobKind): 'image' | 'video' {
  return OUTPUTS[kind];
}

export function credentialsOf(kind: JobKind): Credentials {
  return OUTPUTS[kind] === 'video' ? 'token' : 'key';
}

/** Kinds with the same name here are polled on the same status path: within it an id stands for one job. */
export function statusPathOf(kind: JobKind): string {
  return STATUS_PATHS[kind];
}

const STATUS_PATHS = {
  'face-swap-v6': 'face-v6',
  'face-swap-v5': 'face-v5',
  'face-swap-v1': 'face-v2',
  'self-prompt': 'face-v2',
  'multi-swap-realistic': 'realistic',
  'multi-swap-realistic-prompt': 'realistic',
  'multi-swap-stylized': 'stylized',
  'multi-swap-stylized-prompt': 'stylized',
  'multi-swap-classic': 'classic',
  'single-frame-video': 'video',
  'first-last-frame-video': 'video',
} as const satisfies Record<JobKind, string>;

function isKind(name: string): name is JobKind {
  return Object.hasOwn(OUTPUTS, name);
}

export const jobKinds: readonly JobKind[] = Object.keys(OUTPUTS).filter(isKind);
