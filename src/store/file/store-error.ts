/** Something the owner has to put right; the message says what. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** The file, or a part of it, is no longer where it was when it was opened. */
export class StoreGoneError extends StoreError {
  override readonly name = 'StoreGoneError';
}

export class StoreDamagedError extends StoreError {
  override readonly name = 'StoreDamagedError';
}
