import { UserError } from '../../command/errors.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { Failure } from './job.ts';

/** Thrown by what a step calls when trying again cannot help. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`The job cannot be done: ${failure.code}.`);
    this.failure = failure;
  }
}

const DETAIL_LENGTH = 300;

export const failureWith = (code: Failure['code'], detail?: string): Failure =>
  detail === undefined ? { code } : { code, detail: detail.slice(0, DETAIL_LENGTH) };

const OWNERS_CODES = [
  'service-credits',
  'service-credentials',
  'service-address',
] as const satisfies Failure['code'][];

/** Only the owner can fix it. */
export type OwnersTrouble = Failure & { readonly code: (typeof OWNERS_CODES)[number] };

export const isOwners = (failure: Failure): failure is OwnersTrouble =>
  OWNERS_CODES.some((code) => code === failure.code);

/** The failure that an error means for the job; undefined: a retry may succeed. */
export function lasting(error: unknown): Failure | undefined {
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
