/** A problem with the store that the owner has to fix; the message says which. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** It was written by another version of Darkroom, so this one can only report that. */
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

/** STORE_KEY does not fit. */
export class StoreKeyError extends StoreError {}

/** The file was removed or replaced while it was open. */
export class StoreGoneError extends StoreError {}

/** A restore has replaced the store since this process opened it. */
export class StoreReplacedError extends StoreError {
  constructor() {
    super('A backup was restored to this store (STORE_URL) meanwhile. Start Darkroom again.');
  }
}

/** The database is away, and it is not certain whether it was replaced before. */
export class UncertainError extends StoreError {
  /** `shown`: its address without the password. */
  constructor(shown: string) {
    super(
      `The connection to ${shown} (STORE_URL) was lost, and it is not certain whether the store was replaced. It was all or nothing: run the command again when the database is back.`,
    );
  }
}

/** The store's data is damaged: nothing more is written to it. */
export class StoreDamagedError extends StoreError {}
