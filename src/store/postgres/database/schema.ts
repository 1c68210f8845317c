import { memberTables } from '../members/tables.ts';

/** Its number; those before it were of versions that were never released. */
export const SCHEMA_VERSION = 14;
/** Those from here on can be brought up to date. */
export const OLDEST_VERSION = 9;

/**
 * What is looked up by stands in columns (hashed where the store has a key), everything else in `bytea`, which can hold what people
 * write: `text` takes no zero bytes. `jobs`, `slots`: see tables/line.ts. `inbox`: an entry without a body was handled, and has no
 * lane any more; a lane has a row while a member has it.
 */
export const schema = `
CREATE TABLE meta (name text PRIMARY KEY, value bytea NOT NULL);

CREATE SEQUENCE jobs_seq;
CREATE TABLE jobs (
  seq bigint PRIMARY KEY DEFAULT nextval('jobs_seq'),
  id text COLLATE "C" NOT NULL UNIQUE,
  origin text NOT NULL,
  owner text NOT NULL,
  turn_of text,
  community text COLLATE "C" NOT NULL,
  state text NOT NULL,
  due bigint,
  created_at bigint NOT NULL,
  finished_at bigint,
  version bigint NOT NULL,
  service_id text,
  again_of text,
  held text,
  member text NOT NULL DEFAULT '',
  only_process text,
  credentials text,
  line text,
  turn bigint,
  slot smallint NOT NULL DEFAULT 0,
  passed smallint NOT NULL DEFAULT 0,
  returns bigint NOT NULL DEFAULT 0,
  kind text,
  body bytea NOT NULL,
  CONSTRAINT jobs_origin UNIQUE (origin)
);
CREATE UNIQUE INDEX jobs_service_id ON jobs (service_id) WHERE service_id IS NOT NULL;
CREATE INDEX jobs_due_polls ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'running';
CREATE INDEX jobs_due_results ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'delivering';
CREATE INDEX jobs_due_others ON jobs (due, id)
  WHERE due IS NOT NULL AND held IS NULL AND state NOT IN ('running', 'delivering');
CREATE INDEX jobs_open ON jobs (owner) WHERE finished_at IS NULL;
CREATE INDEX jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
CREATE INDEX jobs_member ON jobs (member, seq) WHERE finished_at IS NULL OR held IS NOT NULL;
CREATE INDEX jobs_created ON jobs (owner, created_at, seq);
CREATE INDEX jobs_finished ON jobs (owner, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_line ON jobs (line, turn, seq) WHERE line IS NOT NULL AND passed = 0;
CREATE INDEX jobs_places ON jobs (turn, seq) INCLUDE (turn_of) WHERE line IS NOT NULL;
CREATE INDEX jobs_by_community ON jobs (community, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_kind ON jobs (kind, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_end ON jobs (state, seq) WHERE state IN ('failed', 'cancelled', 'uncertain');

CREATE TABLE slots (person text PRIMARY KEY, running bigint NOT NULL, turn bigint NOT NULL, per_person bigint);
INSERT INTO slots VALUES ('', 0, 0, NULL);

CREATE TABLE usage (
  day text NOT NULL,
  community text NOT NULL,
  person text NOT NULL,
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  jobs bigint NOT NULL DEFAULT 0 CHECK (jobs >= 0),
  granted bigint NOT NULL DEFAULT 0 CHECK (granted >= 0),
  given bigint NOT NULL DEFAULT 0 CHECK (given >= 0),
  PRIMARY KEY (day, community, person)
);
CREATE INDEX usage_person ON usage (person);
CREATE TABLE totals (day text NOT NULL, part bigint NOT NULL, credits bigint NOT NULL, PRIMARY KEY (day, part));

CREATE TABLE charges (
  job text PRIMARY KEY,
  day text NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  charge text NOT NULL CHECK (charge IN ('reserved', 'spent', 'returned')),
  granted bigint NOT NULL DEFAULT 0 CHECK (granted >= 0),
  grants_of text,
  grant_id text NOT NULL DEFAULT ''
);
CREATE INDEX charges_day ON charges (day);

CREATE TABLE grants (
  community text NOT NULL,
  person text NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  at bigint NOT NULL,
  body bytea NOT NULL,
  id text NOT NULL DEFAULT '',
  PRIMARY KEY (community, person)
);
CREATE INDEX grants_person ON grants (person);
CREATE INDEX grants_used_up ON grants (at) WHERE credits = 0;

CREATE TABLE tallies (
  community text NOT NULL,
  what text NOT NULL,
  hour bigint NOT NULL,
  name text NOT NULL,
  count bigint NOT NULL,
  credits bigint NOT NULL,
  PRIMARY KEY (community, what, hour, name)
);
CREATE INDEX tallies_hour ON tallies (hour);

CREATE TABLE figures (scale text NOT NULL, at bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY (scale, at));

CREATE TABLE acceptances (seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, person text NOT NULL, at bigint NOT NULL);
CREATE INDEX acceptances_person ON acceptances (person, at);
CREATE INDEX acceptances_at ON acceptances (at);

CREATE SEQUENCE audit_seq;
CREATE TABLE audit (
  seq bigint PRIMARY KEY DEFAULT nextval('audit_seq'),
  at bigint NOT NULL,
  community text NOT NULL,
  actor text NOT NULL,
  action text COLLATE "C" NOT NULL,
  detail bytea NOT NULL
);
CREATE INDEX audit_community ON audit (community, seq);
CREATE INDEX audit_actor ON audit (actor, action);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_person ON audit (community, actor, seq);
CREATE INDEX audit_acts ON audit (community, seq) WHERE action <> 'job';

-- The audit trail is append-only. Re-encryption changes neither time nor action; lines about a person's own jobs (job…) and faces
-- (face.…) can be deleted on request, everything else after ninety days.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;
CREATE TRIGGER audit_unchanged BEFORE UPDATE OF seq, at, action ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change('an audit line does not change');
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
  FOR EACH ROW WHEN (substr(OLD.action, 1, 3) <> 'job' AND substr(OLD.action, 1, 5) <> 'face.'
    AND OLD.at > (extract(epoch FROM now()) - 90 * 86400) * 1000)
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');

CREATE SEQUENCE entries_seq;
CREATE TABLE entries (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value bytea NOT NULL,
  expires bigint,
  owner text,
  seq bigint NOT NULL DEFAULT nextval('entries_seq'),
  PRIMARY KEY (namespace, key)
);
CREATE INDEX entries_expires ON entries (expires) WHERE expires IS NOT NULL;
CREATE INDEX entries_owner ON entries (owner, seq) WHERE owner IS NOT NULL;

CREATE TABLE removed (origin text PRIMARY KEY, at bigint NOT NULL);
CREATE INDEX removed_at ON removed (at);

CREATE TABLE erasures (
  person text PRIMARY KEY,
  direct text NOT NULL,
  day text NOT NULL,
  jobs bigint NOT NULL,
  audit bigint NOT NULL,
  entries bigint NOT NULL,
  finished boolean NOT NULL DEFAULT false
);

CREATE TABLE damaged (
  seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at bigint NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  owner text,
  why text NOT NULL,
  bytes bytea NOT NULL
);
CREATE INDEX damaged_owner ON damaged (owner) WHERE owner IS NOT NULL;

CREATE TABLE inbox (
  id bigint PRIMARY KEY,
  lane text NOT NULL,
  person text,
  body bytea,
  at bigint NOT NULL,
  holder integer,
  tries integer NOT NULL DEFAULT 0
);
CREATE INDEX inbox_open ON inbox (lane, id) WHERE body IS NOT NULL;
CREATE INDEX inbox_held ON inbox (lane, holder) WHERE body IS NOT NULL AND holder IS NOT NULL;
CREATE INDEX inbox_person ON inbox (person) WHERE body IS NOT NULL;
CREATE INDEX inbox_handled ON inbox (at) WHERE body IS NULL;
CREATE TABLE inbox_lanes (lane text PRIMARY KEY, holder integer NOT NULL);
CREATE INDEX inbox_lanes_holder ON inbox_lanes (holder);
${memberTables}`;

/** Rules that the program states stood in functions and triggers of the database. */
const FUNCTIONS = `'accept_job', 'add_grant', 'append_line', 'begin_erasure', 'bind_job', 'change_entry', 'change_slots',
  'count_slots', 'count_total', 'keep_damaged', 'lock_slots', 'move_charge', 'next_turn', 'note_kind', 'other_processes',
  'own_turn', 'person_key', 'put_entry', 'remember', 'remove_job', 'retired', 'save_job', 'set_job_aside', 'settle_lost', 'take_back_grant',
  'take_job', 'tally'`;

/** From a version that can be brought up to date. */
export const upgrade = `
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname = current_schema() AND p.proname IN (${FUNCTIONS})
  LOOP EXECUTE 'DROP FUNCTION ' || name || ' CASCADE'; END LOOP;
END $$;
ALTER TABLE usage ADD COLUMN IF NOT EXISTS given bigint NOT NULL DEFAULT 0 CHECK (given >= 0);
ALTER TABLE grants ADD COLUMN IF NOT EXISTS id text NOT NULL DEFAULT '';
ALTER TABLE charges ADD COLUMN IF NOT EXISTS grant_id text NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN IF NOT EXISTS joined_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE jobs ADD COLUMN IF NOT EXISTS turn_of text;
UPDATE jobs SET turn_of = owner WHERE turn_of IS NULL AND finished_at IS NULL;
CREATE INDEX IF NOT EXISTS jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
DROP INDEX jobs_places;
CREATE INDEX jobs_places ON jobs (turn, seq) INCLUDE (turn_of) WHERE line IS NOT NULL;
ALTER TABLE jobs ALTER COLUMN community TYPE text COLLATE "C", ALTER COLUMN member SET DEFAULT '';
DROP INDEX jobs_by_community;
CREATE INDEX jobs_by_community ON jobs (community, seq) WHERE finished_at IS NOT NULL;
`;
