/**
 * A durable queue of platform events: they are stored before they are handled, so that this process after a crash, or any other
 * that shares the store, can handle them. The events of one lane are handled by one process at a time.
 */
export interface Inbox {
  /**
   * Stores entries that were never stored before; they survive a crash of the process. `member` at once claims entries whose
   * lane was empty.
   */
  put(entries: readonly InboxEntry[], member?: string): Promise<InboxPut>;
  /** Resolves when everything stored so far would survive a power cut. */
  onDisk(): Promise<void>;
  /** Frees the lanes of dead members. */
  freeDead(member: string): Promise<void>;
  /** Claims up to `most` entries of free lanes and of those that `member` holds, in the order of their ids. */
  claim(member: string, most: number): Promise<readonly InboxClaim[]>;
  /**
   * Ends claims: `handled` entries are never claimed again, `returned` ones can be at once. A lane is free again when its
   * member has no claimed entry in it. Entries that `member` has not claimed any more are left unchanged.
   */
  settle(member: string, handled: readonly number[], returned: readonly number[]): Promise<void>;
  /** Whether none of these entries was handled, or deleted at the request of the person who sent it. */
  areOpen(ids: readonly number[]): Promise<boolean>;
  /** Deletes entries of this person that no process has handled yet. Handling that has begun continues. */
  forget(person: string): Promise<void>;
}

/** An event to be stored. */
export interface InboxEntry {
  /** An id that is unique, even among entries handled in the last days. */
  readonly id: number;
  readonly lane: string;
  /** The `personKey` of the sender. */
  readonly person: string | undefined;
  readonly body: unknown;
}

export interface InboxPut {
  /** The ids of entries for which there is no room now. */
  readonly full: ReadonlySet<number>;
  readonly claimed: readonly InboxClaim[];
}

/** An entry that a process has claimed for handling. */
export interface InboxClaim {
  readonly id: number;
  /** The event; undefined if it cannot be read. */
  readonly body: unknown;
  /** How often the entry was claimed without being returned, including this time. */
  readonly tries: number;
}
