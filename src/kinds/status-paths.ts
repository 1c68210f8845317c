/** Groups of endpoints; each has words of its own for the states of a job. */
export type StatusFamily = 'general' | 'face-v6' | 'multi-v5' | 'video';

interface StatusPath {
  /** The path, in which `{id}` stands for the job's id at the service. */
  readonly path: string;
  readonly family: StatusFamily;
}

/**
 * The paths on which jobs are polled. Their names are stored, because a job's id at the service is unique within one path only.
 * The path of `classic` is an assumption, which an owner can replace (`src/generation-client/wire/assumptions.ts`).
 */
export const STATUS_PATHS = {
  'face-v6': { path: '/v6/status/{id}', family: 'face-v6' },
  'face-v5': { path: '/v5/status/{id}', family: 'face-v6' },
  'face-v2': { path: '/v2/status/{id}', family: 'general' },
  realistic: { path: '/v5/status_multi_swap/{id}', family: 'multi-v5' },
  stylized: { path: '/v1/status_stylized_multi_swap/{id}', family: 'general' },
  classic: { path: '/v1/status_multi_swap/{id}', family: 'general' },
  video: { path: '/v1/status/single_frame_video/{id}', family: 'video' },
} as const satisfies Readonly<Record<string, StatusPath>>;

export type StatusPathName = keyof typeof STATUS_PATHS;
