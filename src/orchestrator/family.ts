import type { JobKind } from '../command/request.ts';

/** The two halves of the service: each has credentials, durations and troubles of its own. */
export type Credentials = 'key' | 'token';

const outputs = {
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

export const outputOf = (kind: JobKind): 'image' | 'video' => outputs[kind];

export const credentialsOf = (kind: JobKind): Credentials => (outputs[kind] === 'video' ? 'token' : 'key');

const isKind = (name: string): name is JobKind => Object.hasOwn(outputs, name);

export const jobKinds: readonly JobKind[] = Object.keys(outputs).filter(isKind);
