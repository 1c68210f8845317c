/**
 * Events that are stored before they are handled, so that this process after a crash, or any other on the store, can handle them.
 * Those of one lane are handled by one process at a time.
 */
export interface Inbox {
  /**
   * Stores those that were never stored before; they survive a crash of the process. `member` claims at once those whose lane
   * had nothing in it.
   */
  put(entries: readonly InboxEntry[], member?: string): Promise<InboxPut>;
  /** Resolves when everything stored so far would survive a power cut. */
  onDisk(): Promise<void>;
  /** Lanes of dead members become free. */
  freeDead(member: string): Promise<void>;
  /** Claims up to `most` entries of lanes that are free and of those that `member` has, in the order of their ids. */
  claim(member: string, most: number): Promise<readonly InboxClaim[]>;
  /**
   * `handled` are never claimed again, `returned` can be at once. A lane is free again when its member has claimed none of
   * its entries. Entries that `member` has not claimed any more are left as they are.
   */
  settle(member: string, handled: readonly number[], returned: readonly number[]): Promise<void>;
  /** Whether none of these entries was handled, or deleted because their person wanted it. */
  areOpen(ids: readonly number[]): Promise<boolean>;
  /** Deletes what this person sent and no process has handled yet. What is being handled goes on. */
  forget(person: string): Promise<void>;
}

export interface InboxEntry {
  /** Unique, also among those that were handled in the last days. */
  readonly id: number;
  readonly lane: string;
  /** Who sent it, a `personKey`. */
  readonly person: string | undefined;
  readonly body: unknown;
}

export interface InboxPut {
  /** The ids of those for which there is no room now. */
  readonly full: ReadonlySet<number>;
  readonly claimed: readonly InboxClaim[];
}

export interface InboxClaim {
  readonly id: number;
  /** Undefined: it cannot be read. */
  readonly body: unknown;
  /** How often it was claimed, this time included, and not returned. */
  readonly tries: number;
}
