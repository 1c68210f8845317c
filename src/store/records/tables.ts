/**
 * What a column holds. `id`: text that is hashed where the store has a key. `count`: at least 0. `mark`: of an erasure, the highest
 * number that the table of that name had. `number`: of an entry; 0 and none are the same. `sealed`: bytes that are encrypted where
 * the store has a key.
 */
export type ColumnKind = 'text' | 'id' | 'whole' | 'count' | 'mark' | 'number' | 'flag' | 'bytes' | 'sealed';

export interface Column {
  readonly kind: ColumnKind;
  readonly optional?: boolean;
  readonly default?: "''" | '0' | 'false';
  readonly unique?: boolean;
  /** By its bytes. */
  readonly sorted?: boolean;
  /** Of the process that has the record: not copied to another store. */
  readonly local?: boolean;
}

export interface Table {
  readonly name: string;
  /** What is looked up by stands in columns, everything else in sealed bytes, which can hold what people write. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The primary key. */
  readonly key: readonly string[];
  /** Its records have numbers, in `seq`: those that the database gives out by itself, or by `nextSeq`. */
  readonly numbered?: 'itself' | 'nextSeq';
  /** Its records would not fit into the pages of an index. */
  readonly isWide?: boolean;
  readonly check?: string;
  /** What the sealed column may be encrypted for; the last one when the store gets its first key. */
  readonly purposes?: (row: Readonly<Record<string, unknown>>) => readonly string[];
  /** A key below the first. */
  readonly first?: readonly (string | number)[];
  /** Rows that are not copied. */
  readonly without?: { readonly column: string; readonly values: readonly string[] };
  /** A new store has rows in it too, which a copy replaces. */
  readonly isPrepared?: boolean;
}

/** In `meta`: the store is being filled. */
export const MOVING = 'moving';
/** In `meta`: the file is a backup, and what it must hold. */
export const BACKUP = 'backup';
/** In `meta` of a database: another value after each restore. */
export const RESTORE = 'restore';
/** In `meta`: plain text that was encrypted must still be removed from unused pages. */
export const SCRUB = 'scrub';

const text: Column = { kind: 'text' };
const id: Column = { kind: 'id' };
const whole: Column = { kind: 'whole' };
const count: Column = { kind: 'count' };
const mark: Column = { kind: 'mark' };
const bytes: Column = { kind: 'bytes' };
const sealed: Column = { kind: 'sealed' };
const optional = { optional: true } as const;
const local = { local: true } as const;
const zero = { default: '0' } as const;
const empty = { default: "''" } as const;

/** In the order of a copy: jobs count themselves in `slots` and usage in `totals`, which are replaced afterwards. */
export const TABLES: readonly Table[] = [
  {
    name: 'meta',
    columns: { name: text, value: bytes },
    key: ['name'],
    without: { column: 'name', values: [MOVING, BACKUP, RESTORE, SCRUB, 'tried'] },
    isPrepared: true,
  },
  {
    // See tables/line.ts.
    name: 'jobs',
    columns: {
      seq: whole,
      id: { ...text, unique: true, sorted: true },
      origin: { ...id, unique: true },
      owner: id,
      turn_of: { ...id, ...optional },
      community: { ...id, sorted: true },
      state: text,
      due: { ...whole, ...optional },
      created_at: whole,
      finished_at: { ...whole, ...optional },
      version: whole,
      service_id: { ...id, ...optional },
      again_of: { ...id, ...optional },
      held: { ...text, ...optional },
      member: { ...text, ...local, ...empty },
      only_process: { ...text, ...local, ...optional },
      credentials: { ...text, ...optional },
      line: { ...text, ...optional },
      turn: { ...whole, ...optional },
      slot: { ...whole, ...zero },
      passed: { ...whole, ...zero },
      returns: { ...whole, ...zero },
      kind: { ...text, ...optional },
      body: sealed,
    },
    key: ['seq'],
    numbered: 'nextSeq',
    purposes: () => ['job'],
    first: [0],
  },
  {
    name: 'slots',
    columns: { person: id, running: whole, turn: whole, per_person: { ...whole, ...local, ...optional } },
    key: ['person'],
    isPrepared: true,
  },
  {
    name: 'usage',
    columns: {
      day: text,
      community: id,
      person: id,
      reserved: { ...count, ...zero },
      spent: { ...count, ...zero },
      jobs: { ...count, ...zero },
      granted: { ...count, ...zero },
      given: { ...count, ...zero },
    },
    key: ['day', 'community', 'person'],
  },
  {
    name: 'totals',
    columns: { day: text, part: whole, credits: whole },
    key: ['day', 'part'],
    isPrepared: true,
  },
  {
    name: 'tallies',
    columns: { community: id, what: text, hour: whole, name: text, count: whole, credits: whole },
    key: ['community', 'what', 'hour', 'name'],
  },
  {
    name: 'charges',
    columns: {
      job: text,
      day: text,
      credits: count,
      charge: text,
      granted: { ...count, ...zero },
      grants_of: { ...id, ...optional },
      grant_id: { ...text, ...empty },
    },
    key: ['job'],
    check: "charge IN ('reserved', 'spent', 'returned')",
  },
  {
    name: 'grants',
    columns: {
      community: id,
      person: id,
      id: { ...text, ...empty },
      credits: count,
      at: whole,
      body: sealed,
    },
    key: ['community', 'person'],
    purposes: () => ['grant'],
    first: ['', ''],
  },
  {
    name: 'figures',
    columns: { scale: text, at: whole, body: sealed },
    key: ['scale', 'at'],
    isWide: true,
    purposes: () => ['figures'],
    first: ['', 0],
  },
  {
    name: 'acceptances',
    // Two may be of the same moment.
    columns: { person: id, at: whole, seq: { ...whole, ...local } },
    key: ['person', 'at', 'seq'],
    numbered: 'itself',
  },
  {
    name: 'audit',
    columns: {
      seq: whole,
      at: whole,
      community: id,
      actor: id,
      action: { ...text, sorted: true },
      detail: sealed,
    },
    key: ['seq'],
    numbered: 'nextSeq',
    purposes: () => ['audit'],
    first: [0],
  },
  {
    name: 'entries',
    columns: {
      namespace: { ...text, sorted: true },
      key: { ...id, sorted: true },
      expires: { ...whole, ...optional },
      owner: { ...id, ...optional },
      seq: { kind: 'number' },
      value: sealed,
    },
    key: ['namespace', 'key'],
    numbered: 'nextSeq',
    purposes: (row) => [String(row.namespace)],
    first: ['', ''],
  },
  { name: 'removed', columns: { origin: id, at: whole }, key: ['origin'] },
  {
    name: 'erasures',
    columns: {
      person: id,
      direct: id,
      day: text,
      jobs: mark,
      audit: mark,
      entries: mark,
      finished: { kind: 'flag', default: 'false' },
    },
    key: ['person'],
  },
  // A handled update has no body and no lane. Nobody has a copied one in hand.
  {
    name: 'inbox',
    columns: {
      id: whole,
      lane: id,
      person: { ...id, ...optional },
      body: { ...sealed, ...optional },
      at: whole,
      holder: { ...whole, ...local, ...optional },
      tries: { ...count, ...zero },
    },
    key: ['id'],
    purposes: () => ['inbox'],
    first: [-1],
  },
  // A lane has a row while a process has it.
  {
    name: 'inbox_lanes',
    columns: { lane: { ...id, ...local }, holder: { ...whole, ...local } },
    key: ['lane'],
  },
  {
    // The last to be re-encrypted: while the others are gone through, more may be set aside.
    name: 'damaged',
    columns: {
      seq: whole,
      at: whole,
      kind: text,
      id,
      owner: { ...id, ...optional },
      why: text,
      bytes: sealed,
    },
    key: ['seq'],
    numbered: 'itself',
    // As it was when it was set aside, or encrypted there because the store had no key before.
    purposes: (row) => [String(row.kind), 'damaged'],
    first: [0],
  },
];

export type SealedTable = Table & Required<Pick<Table, 'purposes' | 'first'>> & { readonly sealed: string };

/** The tables with an encrypted column, `sealed`. */
export const SEALED_TABLES: readonly SealedTable[] = TABLES.flatMap((table) => {
  const { purposes, first, columns } = table;
  const sealed = Object.keys(columns).find((name) => columns[name]?.kind === 'sealed');
  return sealed && purposes && first ? [{ ...table, purposes, first, sealed }] : [];
});
