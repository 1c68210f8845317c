import { takeFunction } from './line-functions.ts';

/**
 * Part of the migrations. Uploaded photos are only in the memory of the process that received them: it alone takes the jobs
 * that are made of them, as long as it is alive or may come back under another id. Then anybody does, and finds no photo.
 */
export const photoProcesses = `
ALTER TABLE members ADD COLUMN process text;
ALTER TABLE jobs ADD COLUMN only_process text;

CREATE FUNCTION bind_job(p_id text, p_process text) RETURNS void LANGUAGE sql AS $$
  UPDATE jobs SET only_process = p_process WHERE id = p_id
$$;

-- Members say every three seconds that they are there. When the server was away, nobody could.
CREATE FUNCTION may_take(p_process text, p_member text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(bool_or(id::text = p_member), false) OR NOT coalesce(bool_or(
      greatest(seen_at, pg_postmaster_start_time()) > now() - interval '15 seconds'), false)
    FROM members WHERE process = p_process
$$;
${takeFunction('AND (j.only_process IS NULL OR may_take(j.only_process, p_member))')}`;
