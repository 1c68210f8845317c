import type { Gender } from './scenes/scene.ts';

/** What a worker is asked to make. Kept in memory until it is rendered; after a restart the job fails, as its photos are gone. */
export type Task = FaceTask | GroupTask | MotionTask | TransitionTask;

type Ratio = 'portrait' | 'landscape' | 'square';

export interface FaceTask {
  kind: 'face';
  /** Which filter, such as `face/12` or `custom/velvet-noir`; absent: the prompt chooses. */
  filter?: string;
  prompt?: string;
  ratio: Ratio;
  /** Chooses the variant of a scene; absent where the request has none. */
  gender?: Gender;
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

/** Whether a word of the prompt begins with one of these: "rain" is in "rainy", not in "train". */
export const startsWord = (prompt: string, words: RegExp): boolean =>
  new RegExp(`(?<!\\p{L})(?:${words.source})`, 'iu').test(prompt);
