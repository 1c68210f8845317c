import { UserError } from '../../command/errors.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { Failure } from './job.ts';

/** Thrown by ports and effects that a step calls when a retry cannot help; the job then fails with `failure`. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The job cannot be done: ${failure.code}.`);
    this.failure = failure;
  }
}

/** Thrown by what a step calls when the content of a picture could not be looked at: the job waits until it can be. */
export class ContentUnchecked extends Error {
  override readonly name = 'ContentUnchecked';
}

const DETAIL_LENGTH = 300;

/** Makes a failure with an optional detail in the service's words, cut to a bounded length. */
export const failureWith = (code: Failure['code'], detail?: string): Failure =>
  detail === undefined ? { code } : { code, detail: detail.slice(0, DETAIL_LENGTH) };

const OWNERS_CODES = [
  'service-credits',
  'service-credentials',
  'service-address',
] as const satisfies Failure['code'][];

/** A failure that only the owner can fix, at the service or in the settings. */
export type OwnersTrouble = Failure & { readonly code: (typeof OWNERS_CODES)[number] };

/** Whether only the owner can fix this failure. */
export const isOwners = (failure: Failure): failure is OwnersTrouble =>
  OWNERS_CODES.some((code) => code === failure.code);

/** The failure with which an error ends the job, or undefined if a retry may succeed. */
export function lastingFailure(error: unknown): Failure | undefined {
  if (error instanceof JobFailure) return error.failure;
  if (error instanceof UserError) return failureWith('photo-invalid', error.message);
  if (!(error instanceof GenerationError)) return undefined;
  switch (error.kind) {
    case 'rule':
    case 'refused':
    case 'not-found':
      if (error.reason !== undefined) return failureWith(error.reason, error.detail);
      return failureWith('refused', error.detail ?? error.code);
    case 'unauthorized':
      return failureWith('service-credentials');
    case 'credits':
      return failureWith('service-credits');
    case 'redirected':
      return failureWith('service-address');
    default:
      return undefined;
  }
}
