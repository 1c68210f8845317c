import type { JobKind } from '../../command/kinds.ts';
import { endpoints } from '../../generation-client/endpoints.ts';

/** The two halves of the service: each has credentials, durations and troubles of its own. */
export type Credentials = 'key' | 'token';

interface Endpoint {
  readonly output: 'image' | 'video';
  readonly credentials: Credentials;
  readonly status: string;
}

/** Each kind is an endpoint of the client. */
const ENDPOINTS: Readonly<Record<JobKind, Endpoint>> = endpoints;

export function outputOf(kind: JobKind): Endpoint['output'] {
  return ENDPOINTS[kind].output;
}

export function credentialsOf(kind: JobKind): Credentials {
  return ENDPOINTS[kind].credentials;
}

/** Kinds with the same name here are polled on the same status path: within it an id stands for one job. */
export function statusPathOf(kind: JobKind): string {
  return ENDPOINTS[kind].status;
}
