import type { StoryPlace } from './place.ts';

type Row = Record<string, unknown>;

/** What both kinds of store have, and in which order rows were written, where there is one. */
const TABLES: Readonly<Record<string, { readonly columns: string; readonly order?: string }>> = {
  meta: { columns: 'name, value' },
  // Until a job has ended, only SQLite notes its kind.
  jobs: {
    columns: `id, origin, owner, community, state, due, created_at, finished_at, version, service_id, held, line, turn, slot,
      passed, returns, CASE WHEN finished_at IS NOT NULL THEN kind END AS kind_of_ended, body`,
    order: 'seq',
  },
  slots: { columns: 'person, running, turn' },
  usage: { columns: 'day, community, person, reserved, spent, granted, given, jobs' },
  // PostgreSQL keeps them in parts.
  totals: { columns: 'day, sum(credits) AS credits' },
  tallies: { columns: 'community, what, hour, name, count, credits' },
  // Ids of grants are random.
  charges: { columns: "job, day, credits, charge, granted, grants_of, grant_id <> '' AS has_grant" },
  grants: { columns: "community, person, id <> '' AS has_id, credits, at, body" },
  figures: { columns: 'scale, at, body' },
  acceptances: { columns: 'person, at' },
  audit: { columns: 'at, community, actor, action, detail', order: 'seq' },
  entries: { columns: 'namespace, key, value, expires, owner' },
  removed: { columns: 'origin, at' },
  // Numbers of records are not the same everywhere; how many there are up to a mark is.
  erasures: {
    columns: `person, direct, day, finished,
      (SELECT count(*) FROM jobs WHERE seq <= erasures.jobs) AS jobs_before,
      (SELECT count(*) FROM audit WHERE seq <= erasures.audit) AS audit_before,
      (SELECT count(*) FROM entries WHERE owner = person AND seq <= erasures.entries) AS entries_before`,
  },
  damaged: { columns: 'at, kind, id, owner, why, bytes', order: 'seq' },
};

/** Each kind of store returns numbers and bytes in its own way, and PostgreSQL's texts cannot hold zero bytes. */
function plainOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return plainOf(Buffer.from(value).toString());
  if (typeof value === 'boolean' || (typeof value === 'string' && /^\d+$/.test(value))) return Number(value);
  return typeof value === 'string' && value.startsWith('json:')
    ? JSON.parse(value.slice('json:'.length))
    : value;
}

const textOf = (row: Row): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainOf(value)])));

/** Rows as texts, by table. */
export async function tablesOf({ sql }: Pick<StoryPlace, 'sql'>): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const [table, { columns, order }] of Object.entries(TABLES)) {
    const end = order === undefined ? '' : ` ORDER BY ${order}`;
    const group = table === 'totals' ? ' GROUP BY day' : '';
    const rows = (await sql(`SELECT ${columns} FROM ${table}${group}${end}`)).map(textOf);
    all[table] = order === undefined ? rows.toSorted() : rows;
  }
  return all;
}
