/** A response body that cannot be used; becomes a GenerationError. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

/** The job has a result that cannot be used, so polling longer is pointless. */
export class UnusableResult extends InvalidResponse {}
