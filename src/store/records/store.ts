import type { ListedKeyValue } from '../../base/key-value.ts';
import type { Inbox } from '../../base/members/inbox.ts';
import type { Trouble } from '../../log/troubles.ts';
import type { AuditLine, ErasureRecords, JobRecords, UsageRecords } from '../../orchestrator/job/records.ts';
import type { CommunityList } from './community-list.ts';
import type { FigureRecords } from './figures.ts';
import type { GrantRecords } from './grants.ts';
import type { JobSearch } from './jobs/job-search.ts';
import type { Tallies } from './tallies.ts';

export type { AuditLine };

export interface Store {
  readonly jobs: JobRecords;
  readonly jobSearch: JobSearch;
  readonly communityList: CommunityList;
  readonly usage: UsageRecords;
  readonly grants: GrantRecords;
  readonly tallies: Tallies;
  readonly figures: FigureRecords;
  readonly audit: Audit;
  readonly erasures: ErasureRecords;
  readonly inbox: Inbox;
  readonly encrypts: boolean;
  /** Whether other processes may use it at the same time. */
  readonly shared: boolean;
  /** How many unreadable records were found. */
  damaged(): number;
  /** Settings, preferences and caches, one namespace each. */
  keyv(namespace: string, rules?: RecordRules): Namespace;
  /** Of a shared store: whether its connection was lost; what failed may have taken effect or not. */
  readonly isConnectionLoss?: (error: unknown) => boolean;
  /** Throws when the store cannot be reached; writes nothing, so it is cheap. */
  tryToReach(): Promise<void>;
  /** Writes a test value; throws when the store is not writable. */
  tryToWrite(): Promise<void>;
  /** Why it cannot be written to, and what to do, in sentences that anybody may read: no secret, no address. */
  trouble(error: unknown): string;
  /** Removes expired records and re-encrypts those of an older key, one batch each; returns whether more is left. */
  sweep(): Promise<boolean>;
  /** Checks the file for damage in a worker thread. Rejects when it is damaged; then nothing more is written. */
  verify(): Promise<void>;
  close(): void | Promise<void>;
}

/** Append-only; lines are removed after 90 days. */
export interface Audit {
  append(line: AuditLine): Promise<void>;
  /** The latest lines of a community, newest first. */
  recent(community: string, limit: number, only?: LineFilter): Promise<AuditLine[]>;
  /** Every line since a time, oldest first, of one community or all; read in pages. */
  since(at: number, community?: string): AsyncIterable<AuditLine>;
}

export interface LineFilter {
  readonly actor?: string;
  /** How their actions begin; looked for among the latest `MOST_LINES_SCANNED`. */
  readonly actions?: readonly string[];
}

/** A store opened by the owner's tools, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  readonly audit: Pick<Audit, 'recent' | 'since'>;
  readonly figures: Pick<FigureRecords, 'read'>;
  survey(): Promise<Survey>;
  /** The latest warnings and errors of the processes on it. */
  troubles(): Promise<readonly Trouble[]>;
  close(): void | Promise<void>;
}

/** What a store holds, in numbers: for the support file. */
export interface Survey {
  /** The number of its schema. */
  readonly version: number;
  readonly bytes: number;
  /** Rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Jobs by state, as it is stored. */
  readonly jobs: Readonly<Record<string, number>>;
}

interface Namespace extends ListedKeyValue {
  /** What all records of the namespace take. */
  bytes(): Promise<number>;
}

/** What the store must know about the records of a namespace. */
export interface RecordRules {
  /** The person (`personKey`) with whose data it is deleted. */
  ownerOf?(key: string, value: unknown): string | undefined;
  /** An invalid record is set aside. */
  isValid?(key: string, value: unknown): boolean;
  /** Replaces a record that was set aside; undefined: nothing does. */
  insteadOf?(key: string): unknown;
}

/** A record that cannot be read. */
export interface DamagedRecord {
  /** Which kind: `job`, `audit`, `usage`, or the namespace of a key-value record. */
  readonly kind: string;
  readonly id: string;
  readonly why: string;
}
