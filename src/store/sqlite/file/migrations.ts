/** `whose`: the column that says who has the slots. Backups are compared with these texts, to the letter. */
const slotTriggers = (whose: 'owner' | 'turn_of'): string => {
  const give = `    UPDATE slots SET running = running + 1 WHERE person = '';
    INSERT INTO slots (person, running) VALUES (NEW.${whose}, 1) ON CONFLICT (person) DO UPDATE SET running = running + 1;
`;
  const free = `    UPDATE slots SET running = running - 1 WHERE person IN ('', OLD.${whose});
    DELETE FROM slots WHERE person = OLD.${whose} AND running <= 0;
    UPDATE jobs SET passed = 0, turn = turn + max(0, 1 + (SELECT turn FROM slots WHERE person = '') -
        (SELECT min(turn) FROM jobs WHERE ${whose} = OLD.${whose} AND line IS NOT NULL AND seq <> OLD.seq))
      WHERE ${whose} = OLD.${whose} AND line IS NOT NULL AND seq <> OLD.seq
        AND EXISTS (SELECT 1 FROM jobs WHERE ${whose} = OLD.${whose} AND line IS NOT NULL AND passed = 1);
`;
  return `  CREATE TRIGGER jobs_slot_inserted AFTER INSERT ON jobs WHEN NEW.slot = 1
  BEGIN
${give}  END;
  CREATE TRIGGER jobs_slot_given AFTER UPDATE OF slot, ${whose} ON jobs
  WHEN NEW.slot = 1 AND (OLD.slot = 0 OR OLD.${whose} <> NEW.${whose})
  BEGIN
${give}  END;
  CREATE TRIGGER jobs_slot_freed AFTER UPDATE OF slot, ${whose} ON jobs
  WHEN OLD.slot = 1 AND (NEW.slot = 0 OR OLD.${whose} <> NEW.${whose})
  BEGIN
${free}  END;
  CREATE TRIGGER jobs_slot_removed AFTER DELETE ON jobs WHEN OLD.slot = 1
  BEGIN
${free}  END;`;
};

/** Says which of them have been applied. */
export const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)';

/** The schema, one entry per version: entries are added at the end and never changed. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    community TEXT NOT NULL,
    state TEXT NOT NULL,
    due INTEGER,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    version INTEGER NOT NULL,
    body BLOB NOT NULL
  );
  CREATE INDEX jobs_due_looks ON jobs (due, id) WHERE due IS NOT NULL AND state = 'running';
  CREATE INDEX jobs_due_others ON jobs (due, id) WHERE due IS NOT NULL AND state <> 'running';
  CREATE INDEX jobs_open ON jobs (owner) WHERE finished_at IS NULL;
  CREATE INDEX jobs_taken_up ON jobs (seq) WHERE finished_at IS NULL;
  CREATE INDEX jobs_created ON jobs (owner, created_at);
  CREATE INDEX jobs_finished ON jobs (owner, finished_at) WHERE finished_at IS NOT NULL;
  CREATE INDEX jobs_expiry ON jobs (finished_at) WHERE finished_at IS NOT NULL;

  CREATE TABLE usage (
    day TEXT NOT NULL,
    community TEXT NOT NULL,
    person TEXT NOT NULL,
    reserved INTEGER NOT NULL DEFAULT 0,
    spent INTEGER NOT NULL DEFAULT 0,
    jobs INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, community, person)
  ) WITHOUT ROWID;
  CREATE INDEX usage_person ON usage (person);

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    community TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    detail BLOB NOT NULL
  );
  CREATE INDEX audit_community ON audit (community, seq);
  CREATE INDEX audit_actor ON audit (actor, action);
  CREATE INDEX audit_at ON audit (at);

  CREATE TABLE entries (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) WITHOUT ROWID;
  CREATE INDEX entries_expires ON entries (expires) WHERE expires IS NOT NULL;
  `,
  // Events whose jobs were deleted on request: a platform may deliver one of them again.
  `
  CREATE TABLE removed (origin TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX removed_at ON removed (at);
  `,
  // The audit trail is append-only. Re-encryption changes neither time nor action; a person's own jobs (`job…`) can be
  // deleted on request, everything else after ninety days.
  `
  CREATE TRIGGER audit_unchanged BEFORE UPDATE OF seq, at, action ON audit
  BEGIN SELECT RAISE(ABORT, 'an audit line does not change'); END;
  CREATE TRIGGER audit_kept BEFORE DELETE ON audit
  WHEN substr(OLD.action, 1, 3) <> 'job' AND OLD.at > (unixepoch() - 90 * 86400) * 1000
  BEGIN SELECT RAISE(ABORT, 'an audit line is kept for ninety days'); END;
  `,
  // The credits of each job, returned at most once. Outlives a job that is deleted while its call is under way.
  `
  CREATE TABLE charges (
    job TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits >= 0),
    charge TEXT NOT NULL CHECK (charge IN ('reserved', 'spent', 'returned'))
  ) WITHOUT ROWID;
  CREATE INDEX charges_day ON charges (day);

  ALTER TABLE usage RENAME TO usage_before;
  CREATE TABLE usage (
    day TEXT NOT NULL,
    community TEXT NOT NULL,
    person TEXT NOT NULL,
    reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
    jobs INTEGER NOT NULL DEFAULT 0 CHECK (jobs >= 0),
    PRIMARY KEY (day, community, person)
  ) WITHOUT ROWID;
  INSERT INTO usage SELECT day, community, person, max(reserved, 0), max(spent, 0), max(jobs, 0) FROM usage_before;
  DROP TABLE usage_before;
  CREATE INDEX usage_person ON usage (person);
  `,
  // The service's id of a job together with its status path; unique.
  `
  ALTER TABLE jobs ADD COLUMN service_id TEXT;
  CREATE UNIQUE INDEX jobs_service_id ON jobs (service_id) WHERE service_id IS NOT NULL;
  `,
  // The owner of each record; people whose data is being deleted; records that cannot be read.
  `
  ALTER TABLE entries ADD COLUMN owner TEXT;
  ALTER TABLE entries ADD COLUMN seq INTEGER;
  CREATE INDEX entries_owner ON entries (owner, seq) WHERE owner IS NOT NULL;

  CREATE TABLE erasures (
    person TEXT PRIMARY KEY,
    direct TEXT NOT NULL,
    day TEXT NOT NULL,
    jobs INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  CREATE TABLE damaged (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT,
    why TEXT NOT NULL,
    bytes BLOB NOT NULL
  );
  CREATE INDEX damaged_owner ON damaged (owner) WHERE owner IS NOT NULL;
  `,
  // When each person's jobs of the last minute were accepted.
  `
  CREATE TABLE acceptances (seq INTEGER PRIMARY KEY, person TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX acceptances_person ON acceptances (person, at);
  CREATE INDEX acceptances_at ON acceptances (at);
  INSERT INTO acceptances (person, at) SELECT owner, created_at FROM jobs
    WHERE created_at > (SELECT max(created_at) - 60000 FROM jobs);
  `,
  // `held`: a step is under way; of which kind.
  `
  ALTER TABLE jobs ADD COLUMN held TEXT;
  DROP INDEX jobs_due_looks;
  DROP INDEX jobs_due_others;
  CREATE INDEX jobs_due_polls ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'running';
  CREATE INDEX jobs_due_results ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'delivering';
  CREATE INDEX jobs_due_others ON jobs (due, id)
    WHERE due IS NOT NULL AND held IS NULL AND state NOT IN ('running', 'delivering');
  CREATE INDEX jobs_held ON jobs (held) WHERE held IS NOT NULL;
  `,
  // `line`, `turn`, `slot`, `passed`, `returns`: see records/line.ts. `slots` counts the slots of each person and, for '', of
  // all; `turn`: the highest that was taken. Whoever is no longer full stands behind those who waited meanwhile.
  `
  ALTER TABLE jobs ADD COLUMN line TEXT;
  ALTER TABLE jobs ADD COLUMN turn INTEGER;
  ALTER TABLE jobs ADD COLUMN slot INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN passed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN returns INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX jobs_line ON jobs (line, turn, seq) WHERE line IS NOT NULL AND passed = 0;
  CREATE INDEX jobs_places ON jobs (turn, seq, line) WHERE line IS NOT NULL;
  CREATE INDEX jobs_line_of ON jobs (owner, turn) WHERE line IS NOT NULL;

  CREATE TABLE slots (person TEXT PRIMARY KEY, running INTEGER NOT NULL, turn INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
  INSERT INTO slots (person, running) VALUES ('', 0);
${slotTriggers('owner')}
  UPDATE jobs SET slot = 1 WHERE state IN ('submitting', 'running');
  `,
  // Lines about a person's own faces (`face.…`) can be deleted on request, too.
  `
  DROP TRIGGER audit_kept;
  CREATE TRIGGER audit_kept BEFORE DELETE ON audit
  WHEN substr(OLD.action, 1, 3) <> 'job' AND substr(OLD.action, 1, 5) <> 'face.'
    AND OLD.at > (unixepoch() - 90 * 86400) * 1000
  BEGIN SELECT RAISE(ABORT, 'an audit line is kept for ninety days'); END;
  `,
  // What communities do, see records/tallies.ts.
  `
  CREATE TABLE tallies (
    community TEXT NOT NULL,
    what TEXT NOT NULL,
    hour INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    credits INTEGER NOT NULL,
    PRIMARY KEY (community, what, hour, name)
  ) WITHOUT ROWID;
  CREATE INDEX tallies_hour ON tallies (hour);
  `,
  // Found without reading the large values that stand before the owner in a row.
  `
  CREATE INDEX entries_unowned ON entries (namespace, key) WHERE owner IS NULL;
  `,
  // `totals`: credits of everybody together by the day (PostgreSQL has several parts). `grants`: credits that a community gave
  // to a person; `granted`: how much of a day or a charge was paid from them.
  `
  CREATE TABLE totals (day TEXT NOT NULL, part INTEGER NOT NULL, credits INTEGER NOT NULL, PRIMARY KEY (day, part)) WITHOUT ROWID;
  INSERT INTO totals SELECT day, 0, sum(reserved + spent) FROM usage WHERE person = '' GROUP BY day;
  CREATE TRIGGER usage_total_inserted AFTER INSERT ON usage WHEN NEW.person = ''
  BEGIN
    INSERT INTO totals (day, part, credits) VALUES (NEW.day, 0, NEW.reserved + NEW.spent)
      ON CONFLICT (day, part) DO UPDATE SET credits = credits + excluded.credits;
  END;
  CREATE TRIGGER usage_total_changed AFTER UPDATE OF reserved, spent ON usage
  WHEN NEW.person = '' AND NEW.reserved + NEW.spent <> OLD.reserved + OLD.spent
  BEGIN
    INSERT INTO totals (day, part, credits) VALUES (NEW.day, 0, NEW.reserved + NEW.spent - OLD.reserved - OLD.spent)
      ON CONFLICT (day, part) DO UPDATE SET credits = credits + excluded.credits;
  END;

  ALTER TABLE usage ADD COLUMN granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0);
  ALTER TABLE charges ADD COLUMN granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0);
  ALTER TABLE charges ADD COLUMN grants_of TEXT;
  CREATE TABLE grants (
    community TEXT NOT NULL,
    person TEXT NOT NULL,
    credits INTEGER NOT NULL CHECK (credits >= 0),
    at INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (community, person)
  ) WITHOUT ROWID;
  CREATE INDEX grants_person ON grants (person);
  CREATE INDEX grants_used_up ON grants (at) WHERE credits = 0;
  `,
  // The audit trail of a community by person, and without its accepted jobs.
  `
  CREATE INDEX audit_person ON audit (community, actor, seq);
  CREATE INDEX audit_acts ON audit (community, seq) WHERE action <> 'job';
  `,
  // How the program is doing, see records/figures.ts. With row ids, because bodies would not fit into the pages of an index.
  `
  CREATE TABLE figures (scale TEXT NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (scale, at));
  `,
  // Ended jobs by community, by kind and by how they ended, see records/search-jobs.ts. `kind`: absent for jobs from before it.
  `
  ALTER TABLE jobs ADD COLUMN kind TEXT;
  CREATE INDEX jobs_by_community ON jobs (community, seq) WHERE finished_at IS NOT NULL;
  CREATE INDEX jobs_by_kind ON jobs (kind, seq) WHERE finished_at IS NOT NULL;
  CREATE INDEX jobs_by_end ON jobs (state, seq) WHERE state IN ('failed', 'cancelled', 'uncertain');
  `,
  // Each job is written to fewer trees: one instead of three for acceptances, where two may be of the same moment, and one
  // index instead of two for a person's audit lines.
  `
  CREATE TABLE acceptances_of_people (
    person TEXT NOT NULL,
    at INTEGER NOT NULL,
    random_id INTEGER NOT NULL DEFAULT (random() >> 12),
    PRIMARY KEY (person, at, random_id)
  ) WITHOUT ROWID;
  INSERT INTO acceptances_of_people (person, at) SELECT person, at FROM acceptances;
  DROP TABLE acceptances;
  ALTER TABLE acceptances_of_people RENAME TO acceptances;

  DROP INDEX audit_actor;
  DROP INDEX audit_person;
  CREATE INDEX audit_person ON audit (actor, community, seq, action);
  `,
  // `given`: what moderators granted a person that day. `id`: another one after a grant was taken back, so that what an old one
  // paid for does not return to a later one.
  `
  ALTER TABLE usage ADD COLUMN given INTEGER NOT NULL DEFAULT 0 CHECK (given >= 0);
  ALTER TABLE grants ADD COLUMN id TEXT NOT NULL DEFAULT '';
  ALTER TABLE charges ADD COLUMN grant_id TEXT NOT NULL DEFAULT '';
  `,
  // `turn_of`: who takes turns with others and has the slots (`turnKey`); absent for jobs that had ended before it.
  `
  ALTER TABLE jobs ADD COLUMN turn_of TEXT;
  UPDATE jobs SET turn_of = owner WHERE finished_at IS NULL OR line IS NOT NULL OR slot = 1;
  CREATE INDEX jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
  DROP INDEX jobs_line_of;
  CREATE INDEX jobs_line_of ON jobs (turn_of, turn) WHERE line IS NOT NULL;
  DROP TRIGGER jobs_slot_inserted;
  DROP TRIGGER jobs_slot_given;
  DROP TRIGGER jobs_slot_freed;
  DROP TRIGGER jobs_slot_removed;
${slotTriggers('turn_of')}
  `,
];
