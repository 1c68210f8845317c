import type { JobKind } from '../command/request.ts';

/** The two halves of the service: each has credentials, durations and troubles of its own. */
export type Credentials = 'key' | 'token';

const isVideo = (kind: JobKind): boolean => kind === 'single-frame-video' || kind === 'first-last-frame-video';

export const credentialsOf = (kind: JobKind): Credentials => (isVideo(kind) ? 'token' : 'key');

export const outputOf = (kind: JobKind): 'image' | 'video' => (isVideo(kind) ? 'video' : 'image');
