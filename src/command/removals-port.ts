export interface RemovalOutcome {
  /** How many messages showed the result, and how many of them are still there: deleting them is tried again for a day. */
  readonly messages: number;
  readonly remaining: number;
  /** How many were too old to be deleted and show only words. */
  readonly blanked: number;
  /** At how many the bot will never get again, and how many there may be of which it does not know where they are. */
  readonly unreachable: number;
  readonly unknown: number;
  readonly photos: number;
  /** Undefined: that is still to be done. */
  readonly blocked: 'all' | 'some' | 'none' | 'full' | undefined;
  /** It was removed before this. */
  readonly isKnown: boolean;
}

export interface RemovalsPort {
  /**
   * Removes a result, named by a link to a message with it or by the number of its job, and blocks its photos. For moderators of the
   * community where it was made, and for owners; checks that itself, and is audited.
   */
  remove(result: string, reason: string): Promise<RemovalOutcome>;
}
