/** The caller's consent and data. */
export interface PrivacyPort {
  /** The chat is stored here, so `eraseMe` also removes the caller's messages and results. */
  readonly keepsChat: boolean;
  /** Photos are looked at for nudity. */
  readonly checksContent: boolean;
  /** Pictures get the visible mark. */
  readonly hasVisibleMark: boolean;
  /** Faces can be saved. */
  readonly keepsFaces: boolean;
  /**
   * Removes all data of the caller but today's usage counter. Either way none of it is shown any more, and the removal
   * continues after a restart.
   */
  eraseMe(): Promise<{ readonly finished: true; readonly jobs: number } | { readonly finished: false }>;
  consented(): Promise<boolean>;
  consent(): Promise<void>;
}
