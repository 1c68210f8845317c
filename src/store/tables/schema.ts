import { type ColumnKind, TABLES, type Table } from '../records/tables.ts';

/** Where both databases have the same. */
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

/** How one database declares them. */
export interface Declarations {
  readonly types: Readonly<Record<ColumnKind, string>>;
  readonly sorted: string;
  /** `seq`, as it is declared. */
  number(table: Table): string;
  /** After the parenthesis of a table. */
  end(table: Table): string;
}

export function schemaOf(declarations: Declarations): string {
  return TABLES.map((table) => declared(table, declarations)).join('') + INDEXES;
}

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
