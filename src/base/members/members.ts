/**
 * Membership of the processes that share one store: who is alive, and who holds which lock. A store for one process has one
 * member (`src/store/store.ts`).
 */
export interface Members {
  /** The id of this process as a member. It changes when its membership was lost or renewed; ids are never reused. */
  id(): string;
  /** An id of this process that stays the same for its whole life. */
  readonly process: string;
  /** Whether other members are possible: true with PostgreSQL, even while there are none. */
  readonly isShared: boolean;
  /**
   * Whether this process is certainly a member at this moment. While it is not, others may take over its claims, so it claims
   * and submits nothing.
   */
  isAlive(): boolean;
  /** The number of live members including this one, as of about a second ago; at least one. */
  count(): number;
  /** Live members and those who died lately, the latest to join first. */
  list(): Promise<readonly MemberInfo[]>;
  /**
   * Waits for the lock `name`, which one member at a time holds, and runs `work`. `ended` aborts when the lock is lost or
   * `until` aborts: `work` must end then, and after a loss it runs again as soon as this process holds the lock again. Resolves
   * when `work` has ended by itself, or after `until`.
   */
  hold(name: string, work: (ended: AbortSignal) => Promise<void>, until: AbortSignal): Promise<void>;
  /**
   * Like `hold`, but `work` continues when the lock is lost: while the database is away no process can hold it. `ended` aborts
   * when another member holds the lock, or `until` aborts. `isHeld`: whether this process certainly holds it at this moment.
   */
  keep(name: string, work: WorkUnderLock, until: AbortSignal): Promise<void>;
  /**
   * Changes to another id. Claims that this process may have made under the former one without knowing, because the answer was
   * lost, are taken over as if it had died. Locks are kept.
   */
  renew(): Promise<void>;
  /** Watches for the loss of membership and for regaining it. The returned function stops that. */
  watch(watcher: MemberWatcher): () => void;
  /** Registers the function that tells the load of this process; it is asked every few seconds and shown to owners. */
  reportLoad(load: () => MemberInfo['load']): void;
}

/** Work that runs while this process keeps a lock, see `Members.keep`. */
export type WorkUnderLock = (ended: AbortSignal, isHeld: () => boolean) => Promise<void>;

/** Callbacks for changes of this process's membership. */
export interface MemberWatcher {
  lost?(): void;
  /** Called when this process has a new id. */
  joined?(): void;
}

/** A member as owners see it. */
export interface MemberInfo {
  readonly id: string;
  /** The id of the process, as in `Members`. */
  readonly process: string;
  /** The names of the machine and the process. */
  readonly name: string;
  readonly version: string;
  readonly startedAt: number;
  readonly isAlive: boolean;
  /** The names of the member's locks. */
  readonly holds: readonly string[];
  /** The member's load, as it reported some seconds ago. */
  readonly load: Readonly<Record<string, number>>;
}

/** A rate limit that all members share: no two of them have reserved the same time. */
export interface SharedPace {
  /** Reserves `ms` from the earliest free time on. Rejects when the store is away. */
  reserve(ms: number): Promise<Reservation>;
}

/** A reserved time. */
export interface Reservation {
  /** The time from now until it begins. */
  readonly delayMs: number;
  /** By how much `delayMs` may be too long, for want of a common clock; it is never too short. */
  readonly lateMs: number;
}
