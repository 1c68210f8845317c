import type { StoryPlace } from './place.ts';

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** What is not the same in both kinds of store, and why; what is compared instead. */
const EXCEPTIONS: Readonly<
  Record<string, { readonly without: readonly string[]; readonly instead?: string; readonly from?: string }>
> = {
  // Numbers of records have gaps of their own: their order is compared. Members have ids of their own, and a store of before has no kind until a job has ended.
  jobs: {
    without: ['seq', 'kind', 'member'],
    instead: 'CASE WHEN finished_at IS NOT NULL THEN kind END AS kind_of_ended',
  },
  inbox: { without: ['holder'], instead: 'holder IS NOT NULL AS is_held' },
  inbox_lanes: { without: ['holder'] },
  acceptances: { without: ['seq'] },
  audit: { without: ['seq'] },
  damaged: { without: ['seq'] },
  // SQLite counts for each owner. The order is that of nobody.
  entries: { without: ['seq'] },
  // Up to which numbers: how many records there are up to them.
  erasures: {
    without: ['jobs', 'audit', 'entries'],
    instead: `(SELECT count(*) FROM jobs WHERE seq <= e.jobs) AS jobs_before,
      (SELECT count(*) FROM audit WHERE seq <= e.audit) AS audit_before,
      (SELECT count(*) FROM entries WHERE owner = e.person AND seq <= e.entries) AS entries_before`,
    from: 'erasures AS e',
  },
  // PostgreSQL keeps them in parts.
  totals: { without: [], from: '(SELECT day, sum(credits) AS credits FROM totals GROUP BY day) AS days' },
  // Ids of grants are random.
  grants: { without: ['id'], instead: "id <> '' AS has_id" },
  charges: { without: ['grant_id'], instead: "grant_id <> '' AS has_grant" },
};
/** Written in the order of `seq`. */
const ORDERED = ['jobs', 'audit', 'damaged'];

/** Of SQLite, and of PostgreSQL. Migrations are not a part of the story. */
const NAMES = {
  sqlite:
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('migrations', 'sqlite_sequence')",
  postgres:
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'migrations'",
};

/** Each kind of store returns numbers and bytes in its own way, and PostgreSQL's texts cannot hold zero bytes. */
function plainOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return plainOf(Buffer.from(value).toString());
  if (typeof value === 'boolean' || (typeof value === 'string' && /^\d+$/.test(value))) return Number(value);
  return typeof value === 'string' && value.startsWith('json:')
    ? JSON.parse(value.slice('json:'.length))
    : value;
}

export async function tablesOf({ url, sql }: Pick<StoryPlace, 'url' | 'sql'>): Promise<Tables> {
  const all: Record<string, readonly Row[]> = {};
  for (const { name } of await sql(NAMES[url.startsWith('sqlite:') ? 'sqlite' : 'postgres'])) {
    const table = String(name);
    const { without = [], instead, from = table } = EXCEPTIONS[table] ?? {};
    const order = ORDERED.includes(table) ? ' ORDER BY seq' : '';
    const rows = await sql(`SELECT *${instead === undefined ? '' : `, ${instead}`} FROM ${from}${order}`);
    all[table] = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([column, value]) =>
          without.includes(column) ? [] : [[column, plainOf(value)]],
        ),
      ),
    );
  }
  return all;
}

/** Rows as texts, by table: tables and columns that the other one has, too. `without`: columns that differ after this part of the story. */
export function sharedWith(other: Tables, tables: Tables, without: readonly string[] = []) {
  const all: Record<string, string[]> = {};
  for (const [table, rows] of Object.entries(tables)) {
    const [known, own] = [other[table], rows[0]];
    if (known === undefined) continue;
    const columns = Object.keys(known[0] ?? {}).filter(
      (name) => own !== undefined && name in own && !without.includes(name),
    );
    const texts = rows.map((row) => JSON.stringify(columns.toSorted().map((name) => [name, row[name]])));
    all[table] = ORDERED.includes(table) ? texts : texts.toSorted();
  }
  return all;
}
