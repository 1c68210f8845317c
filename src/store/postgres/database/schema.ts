/**
 * Tables. What is looked up by stands in columns (hashed where the store has a key), everything else in `bytea`, which can
 * hold what people write: `text` takes no zero bytes.
 */
export const tables = `
CREATE TABLE meta (name text PRIMARY KEY, value bytea NOT NULL);

CREATE SEQUENCE jobs_seq;
CREATE TABLE jobs (
  seq bigint PRIMARY KEY DEFAULT nextval('jobs_seq'),
  id text COLLATE "C" NOT NULL UNIQUE,
  origin text NOT NULL,
  owner text NOT NULL,
  community text NOT NULL,
  state text NOT NULL,
  due bigint,
  created_at bigint NOT NULL,
  finished_at bigint,
  version bigint NOT NULL,
  service_id text,
  again_of text,
  held text,
  member text NOT NULL,
  credentials text,
  line text,
  turn bigint,
  slot smallint NOT NULL DEFAULT 0,
  passed smallint NOT NULL DEFAULT 0,
  returns bigint NOT NULL DEFAULT 0,
  body bytea NOT NULL,
  CONSTRAINT jobs_origin UNIQUE (origin)
);
CREATE UNIQUE INDEX jobs_service_id ON jobs (service_id) WHERE service_id IS NOT NULL;
CREATE INDEX jobs_due_polls ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'running';
CREATE INDEX jobs_due_results ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'delivering';
CREATE INDEX jobs_due_others ON jobs (due, id)
  WHERE due IS NOT NULL AND held IS NULL AND state NOT IN ('running', 'delivering');
CREATE INDEX jobs_open ON jobs (owner) WHERE finished_at IS NULL;
CREATE INDEX jobs_member ON jobs (member, seq) WHERE finished_at IS NULL OR held IS NOT NULL;
CREATE INDEX jobs_created ON jobs (owner, created_at, seq);
CREATE INDEX jobs_finished ON jobs (owner, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_line ON jobs (line, turn, seq) WHERE line IS NOT NULL AND passed = 0;
CREATE INDEX jobs_places ON jobs (turn, seq) INCLUDE (owner) WHERE line IS NOT NULL;

CREATE TABLE slots (person text PRIMARY KEY, running bigint NOT NULL, turn bigint NOT NULL, per_person bigint);
INSERT INTO slots VALUES ('', 0, 0, NULL);

CREATE TABLE usage (
  day text NOT NULL,
  community text NOT NULL,
  person text NOT NULL,
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  jobs bigint NOT NULL DEFAULT 0 CHECK (jobs >= 0),
  PRIMARY KEY (day, community, person)
);
CREATE INDEX usage_person ON usage (person);

CREATE TABLE charges (
  job text PRIMARY KEY,
  day text NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  charge text NOT NULL CHECK (charge IN ('reserved', 'spent', 'returned'))
);
CREATE INDEX charges_day ON charges (day);

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

-- The audit trail is append-only. Re-encryption changes neither time nor action; a person's own jobs (job…) can be deleted
-- on request, everything else after ninety days.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;
CREATE TRIGGER audit_unchanged BEFORE UPDATE OF seq, at, action ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change('an audit line does not change');
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
  FOR EACH ROW WHEN (substr(OLD.action, 1, 3) <> 'job' AND OLD.at > (extract(epoch FROM now()) - 90 * 86400) * 1000)
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');
`;
