/**
 * Part of the schema. `process`: the same for all ids that one process has had. `pace` is unlogged: after a crash of the server it is
 * empty, and whoever finds no row waits for a second, so that nothing reserved before is exceeded.
 */
export const memberTables = `
CREATE TABLE members (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  state jsonb NOT NULL DEFAULT '{}',
  process text,
  joined_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNLOGGED TABLE pace (
  service text PRIMARY KEY,
  next timestamptz NOT NULL
);
`;
