/** `id`: text that is hashed where the store has a key. `count`: at least 0. `sealed`: bytes that are encrypted there. */
const KINDS = ['text', 'id', 'whole', 'count', 'flag', 'bytes', 'sealed'] as const;
type ColumnKind = (typeof KINDS)[number];

/** `sorted`: by its bytes. `local`: belongs to the process that has the record; not copied elsewhere. */
const RULES = ['key', 'optional', 'unique', 'sorted', 'local'] as const;
type Rule = (typeof RULES)[number];

/** A column, from which both databases declare theirs. */
export interface Column extends Readonly<Partial<Record<Rule, boolean>>> {
  readonly kind: ColumnKind;
  readonly default?: string | undefined;
}

/** A table, from which both databases declare theirs, and by which it is copied and encrypted. */
export interface Table {
  readonly name: string;
  /** Values that are looked up stand in columns, everything else in sealed bytes, which can hold texts of people. */
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  /** Its records have numbers, in `seq`: those that the database gives out by itself, or by `nextSeq`. */
  readonly numbered?: 'itself' | 'nextSeq';
  /** Its records would not fit into the pages of an index. */
  readonly isWide?: boolean;
  readonly check?: string;
  /** The purposes that the sealed column may be encrypted for. When the store gets its first key, the last one is used. */
  readonly purposes?: (row: Readonly<Record<string, unknown>>) => readonly string[];
  readonly without?: { readonly column: string; readonly values: readonly string[] };
  /** A new store has rows in it too, which a copy replaces. */
  readonly isPrepared?: boolean;
}

/** A name in `meta`: the store is being filled. */
export const MOVING = 'moving';
/** A name in `meta`: the file is a backup; the value says what it must hold. */
export const BACKUP = 'backup';
/** A name in `meta` of a database: when its last backup was made. A file notes it beside itself. */
export const BACKED_UP = 'backed-up';
/** A name in `meta` of a database: another value after each restore. */
export const RESTORE = 'restore';
/** A name in `meta`: plain text that was encrypted must still be removed from unused pages. */
export const SCRUB = 'scrub';

/** `columns`: the name of each, its kind and rules, and its default value. */
function table(name: string, columns: string, more: Partial<Table> = {}): Table {
  const named = columns.split(',').map((column): readonly [string, Column] => {
    const [own = '', word, ...words] = column.trim().split(/\s+/);
    const kind = KINDS.find((each) => each === word);
    const [value, ...others] = words.filter((each) => !RULES.some((rule) => rule === each));
    if (kind === undefined || others.length > 0) throw new Error(`${name}.${column} cannot be understood`);
    const rules = RULES.filter((rule) => words.includes(rule)).map((rule) => [rule, true]);
    return [own, { kind, default: value, ...Object.fromEntries(rules) }];
  });
  const key = named.filter(([, column]) => column.key).map(([own]) => own);
  return { name, columns: Object.fromEntries(named), key, ...more };
}

/** In the order of a copy: jobs count themselves in `slots` and usage in `totals`, which are replaced afterwards. */
export const TABLES: readonly Table[] = [
  table('meta', 'name text key, value bytes', {
    without: { column: 'name', values: [MOVING, BACKUP, BACKED_UP, RESTORE, SCRUB, 'tried'] },
    isPrepared: true,
  }),
  table(
    'jobs',
    `seq whole key, id text unique sorted, origin id unique, owner id, turn_of id optional, community id sorted, state text,
     due whole optional, created_at whole, finished_at whole optional, version whole, service_id id optional,
     again_of id optional, held text optional, member text local '', credentials text optional, line text optional,
     turn whole optional, slot whole 0, passed whole 0, returns whole 0,
     kind text optional, body sealed`,
    { numbered: 'nextSeq', purposes: () => ['job'] },
  ),
  table('slots', 'person id key, running whole, turn whole, per_person whole local optional', {
    isPrepared: true,
  }),
  table(
    'usage',
    `day text key, community id key, person id key, reserved count 0, spent count 0, jobs count 0, granted count 0,
     given count 0`,
  ),
  table('totals', 'day text key, part whole key, credits whole', { isPrepared: true }),
  table(
    'tallies',
    'community id key, what text key, hour whole key, name text key, count whole, credits whole',
  ),
  table(
    'charges',
    "job text key, day text, credits count, charge text, granted count 0, grants_of id optional, grant_id text ''",
    { check: "charge IN ('reserved', 'spent', 'returned')" },
  ),
  table('grants', "community id key, person id key, id text '', credits count, at whole, body sealed", {
    purposes: () => ['grant'],
  }),
  table('figures', 'scale text key, at whole key, body sealed', {
    isWide: true,
    purposes: () => ['figures'],
  }),
  // Two jobs may be accepted at the same moment, so each row has a number.
  table('acceptances', 'person id key, at whole key, seq whole local key', { numbered: 'itself' }),
  table('audit', 'seq whole key, at whole, community id, actor id, action text sorted, detail sealed', {
    numbered: 'nextSeq',
    purposes: () => ['audit'],
  }),
  table(
    'entries',
    `namespace text key sorted, key id key sorted, expires whole optional, owner id optional, seq whole, value sealed`,
    { numbered: 'nextSeq', purposes: (row) => [String(row.namespace)] },
  ),
  table('removed', 'origin id key, at whole'),
  table(
    'erasures',
    'person id key, direct id, day text, began_at whole 0, jobs whole, audit whole, entries whole, finished flag false',
  ),
  // A handled update has no body and no lane. A copied one is not claimed.
  table(
    'inbox',
    `id whole key, lane id, person id optional, body sealed optional, at whole, holder whole local optional, tries count 0`,
    { purposes: () => ['inbox'] },
  ),
  // A lane has a row while a process has it.
  table('inbox_lanes', 'lane id local key, holder whole local'),
  // This table is re-encrypted last: while the others are gone through, more records may be set aside.
  table(
    'damaged',
    'seq whole key, at whole, kind text, id id, owner id optional, why text, bytes sealed',
    // As it was when it was set aside, or encrypted there because the store had no key before.
    { numbered: 'itself', purposes: (row) => [String(row.kind), 'damaged'] },
  ),
];

const INDEXES = `
CREATE UNIQUE INDEX jobs_service_id ON jobs (service_id) WHERE service_id IS NOT NULL;
CREATE INDEX jobs_due_polls ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'running';
CREATE INDEX jobs_due_results ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'delivering';
CREATE INDEX jobs_due_others ON jobs (due, id)
  WHERE due IS NOT NULL AND held IS NULL AND state NOT IN ('running', 'delivering');
CREATE INDEX jobs_open ON jobs (owner) WHERE finished_at IS NULL;
CREATE INDEX jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
CREATE INDEX jobs_created ON jobs (owner, created_at, seq);
CREATE INDEX jobs_finished ON jobs (owner, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_line ON jobs (line, turn, seq) WHERE line IS NOT NULL AND passed = 0;
CREATE INDEX jobs_by_community ON jobs (community, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_kind ON jobs (kind, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_end ON jobs (state, seq) WHERE state IN ('failed', 'cancelled', 'uncertain');
CREATE INDEX usage_person ON usage (person);
CREATE INDEX charges_day ON charges (day);
CREATE INDEX grants_person ON grants (person);
CREATE INDEX grants_used_up ON grants (at) WHERE credits = 0;
CREATE INDEX tallies_hour ON tallies (hour);
CREATE INDEX audit_community ON audit (community, seq);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_acts ON audit (community, seq) WHERE action <> 'job';
CREATE INDEX entries_expires ON entries (expires) WHERE expires IS NOT NULL;
CREATE INDEX entries_owner ON entries (owner, seq) WHERE owner IS NOT NULL;
CREATE INDEX removed_at ON removed (at);
CREATE INDEX damaged_owner ON damaged (owner) WHERE owner IS NOT NULL;
CREATE INDEX inbox_open ON inbox (lane, id) WHERE body IS NOT NULL;
CREATE INDEX inbox_person ON inbox (person) WHERE body IS NOT NULL;
CREATE INDEX inbox_handled ON inbox (at) WHERE body IS NULL;
INSERT INTO slots (person, running, turn) VALUES ('', 0, 0);
`;

/** How one database declares tables and columns. */
interface Declarations {
  readonly types: Readonly<Record<ColumnKind, string>>;
  readonly sorted: string;
  /** `seq`, as it is declared. */
  number(table: Table): string;
  /** After the parenthesis of a table. */
  end(table: Table): string;
}

/** The statements that make all tables and indexes of a new store. */
export const schemaOf = (declarations: Declarations): string =>
  TABLES.map((table) => declared(table, declarations)).join('') + INDEXES;

function declared(table: Table, { types, sorted, number, end }: Declarations): string {
  const columns = Object.entries(table.columns).map(([name, column]) => {
    if (name === 'seq' && table.numbered !== undefined) return `seq ${number(table)}`;
    const words = [
      name,
      types[column.kind],
      column.sorted ? sorted : '',
      column.optional ? '' : 'NOT NULL',
      column.default === undefined ? '' : `DEFAULT ${column.default}`,
      column.unique ? 'UNIQUE' : '',
      column.kind === 'count' ? `CHECK (${name} >= 0)` : '',
    ];
    return words.filter((word) => word !== '').join(' ');
  });
  const rules = [`PRIMARY KEY (${table.key.join(', ')})`, ...(table.check ? [`CHECK (${table.check})`] : [])];
  return `CREATE TABLE ${table.name} (\n  ${[...columns, ...rules].join(',\n  ')}\n)${end(table)};\n`;
}

/** A schema that was brought up to date. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
}

/** The migration that brought a store up to date; undefined: it was new, or up to date. */
export const migrationOf = (from: number, to: number, began: number): Migration | undefined =>
  from === 0 || from === to ? undefined : { from, to, ms: Math.round(performance.now() - began) };
