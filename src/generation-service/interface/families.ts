const ENDED = { completed: 'COMPLETED', failed: 'FAILED' };
const QUEUED_RUNNING = { ...ENDED, queued: 'QUEUED', running: 'RUNNING' };
// The interface documents no word between submission and end for these families.
const ONLY_QUEUED = { ...ENDED, queued: 'IN_QUEUE', running: 'IN_QUEUE' };

interface FamilyRow {
  statusPath: string;
  words: Record<'queued' | 'running' | 'completed' | 'failed', string>;
  output: 'picture' | 'video';
}

/** The families of jobs. Each has one status path and its own words for the states of a job. */
export const FAMILIES = {
  'face-v6': { statusPath: '/v6/status', words: ONLY_QUEUED, output: 'picture' },
  'face-v5': { statusPath: '/v5/status', words: ONLY_QUEUED, output: 'picture' },
  'face-v2': { statusPath: '/v2/status', words: QUEUED_RUNNING, output: 'picture' },
  'multi-v5': {
    statusPath: '/v5/status_multi_swap',
    words: { ...ONLY_QUEUED, running: 'PROCESSING' },
    output: 'picture',
  },
  'multi-stylized': {
    statusPath: '/v1/status_stylized_multi_swap',
    words: QUEUED_RUNNING,
    output: 'picture',
  },
  'multi-v4': { statusPath: '/v1/status_multi_swap', words: QUEUED_RUNNING, output: 'picture' },
  video: {
    statusPath: '/v1/status/single_frame_video',
    words: { ...ONLY_QUEUED, running: 'IN_PROGRESS' },
    output: 'video',
  },
} as const satisfies Record<string, FamilyRow>;

export type Family = keyof typeof FAMILIES;

export const familyNames = Object.keys(FAMILIES).filter(isFamily);

function isFamily(name: string): name is Family {
  return name in FAMILIES;
}
