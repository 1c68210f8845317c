import type { Inbox } from '../../base/members/inbox.ts';
import type { ErasureRecords, JobRecords, UsageRecords } from '../../orchestrator/job/records.ts';
import type { Audit } from './audit.ts';
import type { CommunityList } from './communities.ts';
import type { Namespace } from './entries.ts';
import type { RecordRules } from './entry-body.ts';
import type { FigureRecords } from './figures.ts';
import type { GrantRecords } from './grants.ts';
import type { JobSearch } from './job-search.ts';
import type { Tallies } from './tallies.ts';

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

/** A store opened by the owner's tools, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  readonly audit: Pick<Audit, 'recent' | 'since'>;
  readonly figures: Pick<FigureRecords, 'read'>;
  survey(): Promise<Survey>;
  /** The value of a record; undefined: there is none that can be read. */
  entry(namespace: string, key: string): Promise<unknown>;
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
