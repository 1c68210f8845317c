/**
 * A store as tables of plain values, which are the same in every kind of store, so that all of it can be moved from one to
 * another. What is encrypted is copied as it is.
 */
export type CopiedValue = string | number | Uint8Array | null;
export type CopiedRow = readonly CopiedValue[];

/**
 * `?`: may be absent. `whole`: a whole number; one that is damaged becomes 0, or absent. `mark`: one that is damaged becomes the
 * highest of the table of that name. `count`: at least 0. `number`: of an entry; 0 and none are the same.
 */
export type ColumnKind =
  | 'text'
  | 'text?'
  | 'whole'
  | 'whole?'
  | 'count'
  | 'mark'
  | 'number'
  | 'flag'
  | 'bytes'
  | 'bytes?';

export interface CopiedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Rows that stay behind. */
  readonly without?: { readonly column: string; readonly values: readonly string[] };
  /** A new store has rows in it too, which are replaced. */
  readonly isPrepared?: boolean;
}

/** In `meta`: the store is being filled. */
export const MOVING = 'moving';
export const HALF_MOVED =
  'The store is being filled by npm run store:move or npm run restore, which has not finished. Run the same command again, or empty the store.';

/** In `meta`: the file is a backup, and what it must hold. */
export const BACKUP = 'backup';
export const IS_A_BACKUP =
  'The file of STORE_URL is a backup: jobs that wait in it may have been submitted since. Restore it with: npm run restore -- FILE';

/** In `meta` of a database: another value after each restore. */
export const RESTORE = 'restore';

/** In this order: jobs count themselves in `slots` and usage in `totals`, which are replaced afterwards. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  {
    name: 'meta',
    columns: { name: 'text', value: 'bytes' },
    without: { column: 'name', values: [MOVING, BACKUP, RESTORE, 'tried', 'scrub'] },
    isPrepared: true,
  },
  {
    name: 'jobs',
    columns: {
      seq: 'whole',
      id: 'text',
      origin: 'text',
      owner: 'text',
      turn_of: 'text?',
      community: 'text',
      state: 'text',
      due: 'whole?',
      created_at: 'whole',
      finished_at: 'whole?',
      version: 'whole',
      service_id: 'text?',
      again_of: 'text?',
      held: 'text?',
      credentials: 'text?',
      line: 'text?',
      turn: 'whole?',
      slot: 'whole',
      passed: 'whole',
      returns: 'whole',
      kind: 'text?',
      body: 'bytes',
    },
  },
  { name: 'slots', columns: { person: 'text', running: 'whole', turn: 'whole' }, isPrepared: true },
  {
    name: 'usage',
    columns: {
      day: 'text',
      community: 'text',
      person: 'text',
      reserved: 'count',
      spent: 'count',
      granted: 'count',
      given: 'count',
      jobs: 'count',
    },
  },
  { name: 'totals', columns: { day: 'text', part: 'whole', credits: 'whole' }, isPrepared: true },
  {
    name: 'tallies',
    columns: {
      community: 'text',
      what: 'text',
      hour: 'whole',
      name: 'text',
      count: 'whole',
      credits: 'whole',
    },
  },
  {
    name: 'charges',
    columns: {
      job: 'text',
      day: 'text',
      credits: 'whole',
      charge: 'text',
      granted: 'whole',
      grants_of: 'text?',
      grant_id: 'text',
    },
  },
  {
    name: 'grants',
    columns: { community: 'text', person: 'text', id: 'text', credits: 'whole', at: 'whole', body: 'bytes' },
  },
  { name: 'figures', columns: { scale: 'text', at: 'whole', body: 'bytes' } },
  { name: 'acceptances', columns: { person: 'text', at: 'whole' } },
  {
    name: 'audit',
    columns: {
      seq: 'whole',
      at: 'whole',
      community: 'text',
      actor: 'text',
      action: 'text',
      detail: 'bytes',
    },
  },
  {
    name: 'entries',
    columns: {
      namespace: 'text',
      key: 'text',
      value: 'bytes',
      expires: 'whole?',
      owner: 'text?',
      seq: 'number',
    },
  },
  { name: 'removed', columns: { origin: 'text', at: 'whole' } },
  {
    name: 'erasures',
    columns: {
      person: 'text',
      direct: 'text',
      day: 'text',
      jobs: 'mark',
      audit: 'mark',
      entries: 'mark',
      finished: 'flag',
    },
  },
  {
    name: 'damaged',
    columns: {
      seq: 'whole',
      at: 'whole',
      kind: 'text',
      id: 'text',
      owner: 'text?',
      why: 'text',
      bytes: 'bytes',
    },
  },
  // Nobody has anything in hand.
  {
    name: 'inbox',
    columns: { id: 'whole', lane: 'text', person: 'text?', body: 'bytes?', at: 'whole', tries: 'count' },
  },
];

/** A store that nobody works on, and nobody can begin to, while it is copied. */
export interface CopySource {
  /** Without password. */
  readonly shown: string;
  readonly encrypts: boolean;
  count(table: CopiedTable): Promise<number>;
  /** In any order. */
  rows(table: CopiedTable): AsyncIterable<CopiedRow>;
}

/** All that is written to it, or nothing, is there in the end. */
export interface CopyTarget extends Omit<CopySource, 'encrypts'> {
  readonly isEmpty: boolean;
  /** Removes what a new store has in this table. */
  clear(table: CopiedTable): Promise<void>;
  write(table: CopiedTable, rows: readonly CopiedRow[]): Promise<void>;
  /** After the last row: new records get higher numbers, and the store can be used. */
  finish(): Promise<void>;
}

/** The condition for rows that are copied, of constants. */
export const whereCopied = ({ without }: CopiedTable): string =>
  without === undefined
    ? ''
    : ` WHERE ${without.column} NOT IN (${without.values.map((value) => `'${value}'`).join(', ')})`;
