/**
 * The processes that share one store: who is alive, and who holds what. A store for one process has one member
 * (`src/store/store.ts`).
 */
export interface Members {
  /** The id of this process. Another one after its membership was lost or renewed; never used twice. */
  id(): string;
  /** Names this process, too, and stays the same for its whole life. */
  readonly process: string;
  /** Whether there can be others: with PostgreSQL, also while there are none. */
  readonly isShared: boolean;
  /**
   * Whether this process is certainly a member at this moment. While it is not, others may take over what it has claimed:
   * it claims and submits nothing.
   */
  isAlive(): boolean;
  /** How many are alive, this one included, as of about a second ago; at least one. */
  count(): number;
  /** Those alive and those who died lately, the latest to join first. */
  list(): Promise<readonly MemberInfo[]>;
  /**
   * Waits for the lock `name`, which one member at a time holds, and runs `work`. `ended` aborts when the lock was lost or
   * `until` aborts: `work` must end then, and after a loss it is run again as soon as this process has the lock again. Resolves when
   * `work` has ended by itself, or after `until`.
   */
  hold(name: string, work: (ended: AbortSignal) => Promise<void>, until: AbortSignal): Promise<void>;
  /**
   * The same, but `work` goes on when the lock was lost: while the database is away no process can have it. `ended` aborts
   * when another member has it, or `until` aborts. `isHeld`: whether this process certainly has it at this moment.
   */
  keep(name: string, work: KeepingWork, until: AbortSignal): Promise<void>;
  /**
   * Takes another id: what this process may have claimed under the former one without knowing, because the answer was lost, is
   * taken over as if it had died. Locks are kept.
   */
  renew(): Promise<void>;
  /** Called when membership is lost, and when it is regained. The returned function stops it. */
  watch(watcher: MemberWatcher): () => void;
  /** What this process has to do: asked every few seconds, for owners to see. */
  reportLoad(load: () => MemberInfo['load']): void;
}

export type KeepingWork = (ended: AbortSignal, isHeld: () => boolean) => Promise<void>;

export interface MemberWatcher {
  lost?(): void;
  /** There is another id. */
  joined?(): void;
}

export interface MemberInfo {
  readonly id: string;
  /** As in `Members`. */
  readonly process: string;
  /** Machine and process. */
  readonly name: string;
  readonly version: string;
  readonly startedAt: number;
  readonly isAlive: boolean;
  /** The names of its locks. */
  readonly holds: readonly string[];
  /** What it has to do, as it said some seconds ago. */
  readonly load: Readonly<Record<string, number>>;
}

/** A pace that all members keep together: no two of them have reserved the same time. */
export interface SharedPace {
  /** Reserves `ms`, from the earliest time on that is not reserved. Rejects when the store is away. */
  reserve(ms: number): Promise<Reservation>;
}

export interface Reservation {
  /** From now until it begins. */
  readonly delayMs: number;
  /** By how much that may be too late, for want of a common clock; it is never too early. */
  readonly lateMs: number;
}
