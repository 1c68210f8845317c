/** Something that the owner has to fix; the message says what. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** The file was removed or replaced while it was open. */
export class StoreGoneError extends StoreError {
  override readonly name = 'StoreGoneError';
}

export class StoreDamagedError extends StoreError {
  override readonly name = 'StoreDamagedError';
}
