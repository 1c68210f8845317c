import { saveFunction } from './functions.ts';

/** Locks the row of everybody in `slots`. */
export const LOCK_SLOTS = "SELECT person FROM slots WHERE person = '' FOR UPDATE";

/** Of `saveFunction`. */
export const LOCK_BEFORE_SAVE =
  "PERFORM lock_slots(p_id, CASE WHEN p_state IN ('submitting', 'running') AND NOT p_removes THEN 1 ELSE 0 END);";

/**
 * Part of the migrations. Whoever locks several of these locks them in this order, so that no two wait for each other:
 *
 * 1. whoever takes turns (`turn_of`), a person (`person_key` of both), then its row in `erasures`
 * 2. everybody's row in `slots`: whoever may change a slot, or locks several jobs of which some stand in line
 * 3. rows of `jobs`, by `seq`
 * 4. the other rows of `slots`, and the jobs in line that follow from a slot
 * 5. `charges`, `grants`, `usage` of the person, `usage` of everybody, `totals`
 * 6. `tallies`, `audit`, `damaged`, `entries`
 *
 * Rows that nobody else can know of yet can be added at any time. Locks of ceilings and grants are held while those of 5 are asked for. A
 * sweep, and whoever claims, waits for nobody: what is locked is left out.
 */
export const lockOrder = `
CREATE FUNCTION lock_slots(p_job text, p_slot integer) RETURNS void LANGUAGE sql AS $$
  SELECT FROM slots WHERE person = '' AND EXISTS (SELECT FROM jobs WHERE id = p_job AND (line IS NOT NULL OR slot <> p_slot))
    FOR UPDATE
$$;

CREATE OR REPLACE FUNCTION remove_job(p_id text, p_version bigint, p_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_job record;
BEGIN
  PERFORM lock_slots(p_id, 0);
  DELETE FROM jobs WHERE id = p_id AND version = coalesce(p_version, version) RETURNING origin, service_id INTO found_job;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM remember(found_job.origin, p_now);
  IF found_job.service_id IS NOT NULL THEN PERFORM remember(retired(found_job.service_id), p_now); END IF;
  RETURN true;
END $$;

${saveFunction(LOCK_BEFORE_SAVE)}

CREATE OR REPLACE FUNCTION set_job_aside(p_seq bigint, p_version bigint, p_why text, p_now bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lost jobs;
BEGIN
  PERFORM lock_slots(id, 0) FROM jobs WHERE seq = p_seq;
  SELECT * INTO lost FROM jobs WHERE seq = p_seq AND version = p_version FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM settle_lost(lost.id, lost.community, lost.owner, lost.state);
  PERFORM keep_damaged(p_now, 'job', lost.id, lost.owner, p_why, lost.body);
  RETURN remove_job(lost.id, p_version, p_now);
END $$;

CREATE OR REPLACE FUNCTION keep_damaged(p_at bigint, p_kind text, p_id text, p_owner text, p_why text, p_bytes bytea)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO damaged (at, kind, id, owner, why, bytes)
    VALUES (p_at, p_kind, p_id, p_owner, p_why, substring(p_bytes FROM 1 FOR 65536));
  DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged
    WHERE seq <= (SELECT seq FROM damaged ORDER BY seq DESC OFFSET 1000 LIMIT 1) FOR UPDATE SKIP LOCKED);
$$;
`;
