/** Something that the owner has to fix; the message says what. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** It was written by another version of Darkroom, which this one can only be told of. */
export class StoreVersionError extends Error {
  override readonly name = 'StoreVersionError';
  readonly code: 'OLDER_STORE' | 'NEWER_STORE';

  constructor(code: StoreVersionError['code'], version: number) {
    super(
      code === 'OLDER_STORE'
        ? 'it was created by an older version of Darkroom. Start this version on it first.'
        : `it was written by a newer version of Darkroom (schema ${version}).`,
    );
    this.code = code;
  }
}

/** The file was removed or replaced while it was open. */
export class StoreGoneError extends StoreError {
  override readonly name = 'StoreGoneError';
}

export class StoreDamagedError extends StoreError {
  override readonly name = 'StoreDamagedError';
}
