import type { DrawnGender } from './scenes/scene.ts';

/**
 * A task for a worker. It is kept in memory until it is rendered; after a restart its job fails, because its photos are gone.
 */
export type Task = FaceTask | GroupTask | MotionTask | TransitionTask;

type Ratio = 'portrait' | 'landscape' | 'square';

export interface FaceTask {
  kind: 'face';
  /** The key of the filter, such as `face/12` or `custom/velvet-noir`; absent: the prompt chooses. */
  filter?: string;
  prompt?: string;
  ratio: Ratio;
  /** Selects the variant of a scene; absent if the request has no gender. */
  gender?: DrawnGender;
  engine: 'v6.1' | 'v6' | 'v5' | 'v1';
  seed: number;
}

export interface GroupTask {
  kind: 'group';
  filter?: string;
  prompt?: string;
  look: 'realistic' | 'stylized' | 'classic';
  outpaint: boolean;
  seed: number;
}

export interface MotionTask {
  kind: 'motion';
  prompt: string;
  model: 'simple' | 'advanced' | 'performance';
  seconds: number;
  aspect: 'auto' | '16:9' | '9:16' | '3:2' | '2:3';
  seed: number;
}

export interface TransitionTask {
  kind: 'transition';
  prompt: string;
  seconds: number;
}

/** Whether a word of the prompt begins with one of these: "rain" matches "rainy", but not "train". */
export const hasWordStartingWith = (prompt: string, words: RegExp): boolean =>
  new RegExp(`(?<!\\p{L})(?:${words.source})`, 'iu').test(prompt);
