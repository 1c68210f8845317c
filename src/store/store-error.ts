/** Something the owner has to put right; the message says what. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
