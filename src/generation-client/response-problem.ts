/** A response body that cannot be used. Becomes a GenerationError where the call is known. */
export class ResponseProblem extends Error {
  override readonly name = 'ResponseProblem';
}
