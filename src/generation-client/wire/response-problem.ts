/** A response body that cannot be used. Becomes a GenerationError where the call is known. */
export class ResponseProblem extends Error {
  override readonly name = 'ResponseProblem';
}

/** The answer is about a result, and the result itself cannot be used: asking again for long is pointless. */
export class UnusableResult extends ResponseProblem {}
