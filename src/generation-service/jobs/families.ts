import type { StatusWords } from '../script.ts';

/** Each family of jobs has one status path and its own words for how far a job is. */
const inQueue = { queued: 'IN_QUEUE', completed: 'COMPLETED', failed: 'FAILED' };
const running: StatusWords = {
  queued: 'QUEUED',
  running: 'RUNNING',
  completed: 'COMPLETED',
  failed: 'FAILED',
};
// The interface shows no word between submission and the end for these two.
const onlyQueue: StatusWords = { ...inQueue, running: 'IN_QUEUE' };

export const families = {
  'face-v6': { statusPath: '/v6/status', words: onlyQueue, output: 'picture' },
  'face-v5': { statusPath: '/v5/status', words: onlyQueue, output: 'picture' },
  'face-v2': { statusPath: '/v2/status', words: running, output: 'picture' },
  'multi-v5': {
    statusPath: '/v5/status_multi_swap',
    words: { ...inQueue, running: 'PROCESSING' },
    output: 'picture',
  },
  'multi-stylized': { statusPath: '/v1/status_stylized_multi_swap', words: running, output: 'picture' },
  'multi-v4': { statusPath: '/v1/status_multi_swap', words: running, output: 'picture' },
  video: {
    statusPath: '/v1/status/single_frame_video',
    words: { ...inQueue, running: 'IN_PROGRESS' },
    output: 'video',
  },
} as const satisfies Record<string, { statusPath: string; words: StatusWords; output: 'picture' | 'video' }>;

export type Family = keyof typeof families;

export const familyNames: Family[] = [
  'face-v6',
  'face-v5',
  'face-v2',
  'multi-v5',
  'multi-stylized',
  'multi-v4',
  'video',
];
