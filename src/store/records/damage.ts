/** A parser's message may contain a piece of the record, and not every column takes zero bytes. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200).replaceAll('\0', ' ').toWellFormed();
