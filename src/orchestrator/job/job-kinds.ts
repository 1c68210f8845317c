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

export const outputOf = (kind: JobKind): Endpoint['output'] => ENDPOINTS[kind].output;

export const credentialsOf = (kind: JobKind): Credentials => ENDPOINTS[kind].credentials;

/** Kinds with the same name here are polled on the same status path: within it an id stands for one job. */
export const statusPathOf = (kind: JobKind): string => ENDPOINTS[kind].status;
