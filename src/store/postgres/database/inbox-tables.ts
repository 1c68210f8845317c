/** An entry without a body was handled, and has no lane any more. A lane has a row while a member has it. */
export const inboxTables = `
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
`;
