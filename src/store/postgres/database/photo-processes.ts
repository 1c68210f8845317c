import { memberProcess } from '../members/tables.ts';
import { takeFunction } from './line-functions.ts';

/** Of `takeFunction`. */
export const NOT_OF_OTHERS =
  'AND (j.only_process IS NULL OR j.only_process <> ALL (ARRAY(SELECT other_processes(p_member))))';

/**
 * Part of the migrations. Uploaded photos are only in the memory of the process that received them: it alone takes the jobs
 * that are made of them, as long as it is alive or may come back under another id. Then anybody does, and finds no photo.
 */
export const photoProcesses = `
${memberProcess}
ALTER TABLE jobs ADD COLUMN only_process text;

CREATE FUNCTION bind_job(p_id text, p_process text) RETURNS void LANGUAGE sql AS $$
  UPDATE jobs SET only_process = p_process WHERE id = p_id
$$;

-- Members say every three seconds that they are there. When the server was away, nobody could.
CREATE FUNCTION other_processes(p_member text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT process FROM members WHERE process IS NOT NULL GROUP BY process
    HAVING NOT bool_or(id::text = p_member)
    AND greatest(max(seen_at), pg_postmaster_start_time()) > now() - interval '15 seconds'
$$;
${takeFunction(NOT_OF_OTHERS)}`;

/** Part of a later migration: others may be on their way back after an outage that the server itself knows nothing of. */
export const rejoinedProcesses = `
ALTER TABLE members ADD COLUMN joined_at timestamptz NOT NULL DEFAULT now();
CREATE OR REPLACE FUNCTION other_processes(p_member text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT process FROM members WHERE process IS NOT NULL GROUP BY process
    HAVING NOT bool_or(id::text = p_member)
    AND greatest(max(seen_at), (SELECT joined_at FROM members WHERE id::text = p_member)) > now() - interval '15 seconds'
$$;`;
