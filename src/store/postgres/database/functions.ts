/** `lock`: a statement that a later migration has added. `turnOf`: whose turn it is, which another one has changed. */
export const saveFunction = (lock = '', turnOf = 'p_owner'): string => `
-- saved, stale or taken. p_line: it stands in this line. p_charge: where its credits go; null: nowhere.
-- What another process has in hand stays in its hand.
CREATE OR REPLACE FUNCTION save_job(
  p_id text, p_version bigint, p_owner text, p_community text, p_state text, p_due bigint, p_finished_at bigint,
  p_service_id text, p_body bytea, p_keep boolean, p_line text, p_rests boolean, p_charge text, p_removes boolean,
  p_lossy boolean, p_member text, p_now bigint
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF p_lossy THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  IF p_line IS NOT NULL THEN PERFORM pg_advisory_xact_lock(person_key(${turnOf})) FROM jobs WHERE id = p_id; END IF;
  ${lock}
  IF p_removes THEN
    IF NOT remove_job(p_id, p_version, p_now) THEN RETURN 'stale'; END IF;
  ELSE
    IF EXISTS (SELECT FROM removed WHERE origin = retired(p_service_id)) THEN RETURN 'taken'; END IF;
    UPDATE jobs SET
      state = p_state, due = p_due, finished_at = p_finished_at, service_id = coalesce(p_service_id, service_id),
      version = p_version + 1, body = p_body,
      member = CASE WHEN p_keep AND held IS NOT NULL AND (held <> 'submission' OR p_state = 'submitting')
        THEN member ELSE p_member END,
      held = CASE WHEN p_keep AND (held <> 'submission' OR p_state = 'submitting') THEN held END,
      credentials = coalesce(p_line, credentials), line = p_line,
      turn = CASE WHEN turn IS NULL AND p_line IS NOT NULL THEN next_turn(${turnOf}) ELSE turn END,
      passed = CASE WHEN p_line IS NULL THEN 0 ELSE passed END,
      returns = CASE WHEN p_rests THEN 0 WHEN p_line IS NOT NULL THEN returns + slot ELSE returns END,
      slot = CASE WHEN p_state IN ('submitting', 'running') THEN 1 ELSE 0 END
      WHERE id = p_id AND version = p_version;
    IF NOT FOUND THEN RETURN 'stale'; END IF;
  END IF;
  IF p_charge IS NOT NULL THEN PERFORM move_charge(p_id, p_community, p_owner, p_charge); END IF;
  RETURN 'saved';
END $$;
`;

/**
 * What must be one transaction and one round trip. A person's own records are written under a lock of that person, so that
 * limits are exact and the marks of an erasure lie after everything from before it.
 */
export const functions = `
CREATE FUNCTION person_key(p_person text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT hashtextextended(current_schema() || '/person/' || p_person, 0)
$$;

CREATE FUNCTION retired(p_service_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'id ' || encode(sha256(convert_to(p_service_id, 'UTF8')), 'hex')
$$;

CREATE FUNCTION remember(p_origin text, p_at bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO removed (origin, at) VALUES (p_origin, p_at) ON CONFLICT (origin) DO UPDATE SET at = excluded.at
$$;

-- False: there is none, or not in this version (null: whichever). Its event and its id at the service stay known for some days.
CREATE FUNCTION remove_job(p_id text, p_version bigint, p_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_job record;
BEGIN
  DELETE FROM jobs WHERE id = p_id AND version = coalesce(p_version, version) RETURNING origin, service_id INTO found_job;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM remember(found_job.origin, p_now);
  IF found_job.service_id IS NOT NULL THEN PERFORM remember(retired(found_job.service_id), p_now); END IF;
  RETURN true;
END $$;

-- Credits go from reserved to spent or returned, or from spent to returned, each once. A deleted counter is not made again.
CREATE FUNCTION move_charge(p_job text, p_community text, p_person text, p_to text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known charges;
  reserved_by bigint;
  spent_by bigint;
BEGIN
  SELECT * INTO known FROM charges WHERE job = p_job FOR UPDATE;
  IF NOT FOUND OR NOT (known.charge = 'reserved' AND p_to IN ('spent', 'returned') OR known.charge = 'spent' AND p_to = 'returned')
    THEN RETURN false; END IF;
  UPDATE charges SET charge = p_to WHERE job = p_job;
  reserved_by := CASE known.charge WHEN 'reserved' THEN -known.credits ELSE 0 END;
  spent_by := CASE p_to WHEN 'spent' THEN known.credits ELSE 0 END - CASE known.charge WHEN 'spent' THEN known.credits ELSE 0 END;
  -- The person first, then everybody (''): always in this order, so that nobody waits in a circle.
  UPDATE usage SET reserved = greatest(0, reserved + reserved_by), spent = greatest(0, spent + spent_by)
    WHERE day = known.day AND community = p_community AND person = p_person;
  UPDATE usage SET reserved = greatest(0, reserved + reserved_by), spent = greatest(0, spent + spent_by)
    WHERE day = known.day AND community = p_community AND person = '';
  RETURN true;
END $$;

CREATE FUNCTION append_line(p_at bigint, p_community text, p_actor text, p_action text, p_detail bytea)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(person_key(p_actor));
  INSERT INTO audit (at, community, actor, action, detail) VALUES (p_at, p_community, p_actor, p_action, p_detail);
END $$;

-- outcome: accepted, known (seq), again (seq), deleted, rate (counted: since when), waiting (counted) or allowance (counted).
CREATE FUNCTION accept_job(
  p_id text, p_origin text, p_owner text, p_community text, p_state text, p_due bigint, p_created_at bigint,
  p_finished_at bigint, p_version bigint, p_again_of text, p_line text, p_body bytea, p_member text,
  p_day text, p_today text, p_credits bigint, p_daily bigint, p_per_minute bigint, p_most_open bigint,
  p_line_at bigint, p_line_community text, p_line_actor text, p_line_action text, p_line_detail bytea,
  OUT outcome text, OUT seq bigint, OUT counted bigint
) LANGUAGE plpgsql AS $$
DECLARE
  accepted bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(person_key(p_owner));
  SELECT j.seq INTO seq FROM jobs j WHERE j.origin = p_origin;
  IF FOUND THEN outcome := 'known'; RETURN; END IF;
  IF p_again_of IS NOT NULL THEN
    SELECT j.seq INTO seq FROM jobs j WHERE j.owner = p_owner AND j.finished_at IS NULL AND j.again_of = p_again_of
      AND j.state IN ('opening', 'waiting', 'submitting', 'running') ORDER BY j.created_at DESC, j.seq DESC LIMIT 1;
    IF FOUND THEN outcome := 'again'; RETURN; END IF;
  END IF;
  IF EXISTS (SELECT FROM removed WHERE origin = p_origin) THEN outcome := 'deleted'; RETURN; END IF;
  SELECT count(*), min(a.at) INTO accepted, counted FROM acceptances a
    WHERE a.person = p_owner AND a.at > p_created_at - 60000 AND a.at <= p_created_at;
  IF accepted >= p_per_minute THEN outcome := 'rate'; RETURN; END IF;
  SELECT count(*) INTO counted FROM jobs j WHERE j.owner = p_owner AND j.finished_at IS NULL;
  IF counted >= p_most_open THEN outcome := 'waiting'; RETURN; END IF;
  SELECT coalesce(sum(u.reserved + u.spent), 0) INTO counted FROM usage u
    WHERE u.day = p_today AND u.community = p_community AND u.person = p_owner;
  IF counted + p_credits > p_daily THEN outcome := 'allowance'; RETURN; END IF;
  INSERT INTO jobs (id, origin, owner, community, state, due, created_at, finished_at, version, again_of,
      credentials, line, turn, slot, member, body)
    VALUES (p_id, p_origin, p_owner, p_community, p_state, p_due, p_created_at, p_finished_at, p_version, p_again_of,
      p_line, p_line, CASE WHEN p_line IS NOT NULL THEN next_turn(p_owner) END,
      CASE WHEN p_state IN ('submitting', 'running') THEN 1 ELSE 0 END, p_member, p_body);
  INSERT INTO charges (job, day, credits, charge) VALUES (p_id, p_day, p_credits, 'reserved');
  INSERT INTO usage AS u (day, community, person, reserved, jobs) VALUES (p_day, p_community, p_owner, p_credits, 1)
    ON CONFLICT (day, community, person) DO UPDATE SET reserved = u.reserved + p_credits, jobs = u.jobs + 1;
  INSERT INTO usage AS u (day, community, person, reserved, jobs) VALUES (p_day, p_community, '', p_credits, 1)
    ON CONFLICT (day, community, person) DO UPDATE SET reserved = u.reserved + p_credits, jobs = u.jobs + 1;
  INSERT INTO acceptances (person, at) VALUES (p_owner, p_created_at);
  INSERT INTO audit (at, community, actor, action, detail)
    VALUES (p_line_at, p_line_community, p_line_actor, p_line_action, p_line_detail);
  outcome := 'accepted';
END $$;

${saveFunction()}
CREATE FUNCTION keep_damaged(p_at bigint, p_kind text, p_id text, p_owner text, p_why text, p_bytes bytea)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO damaged (at, kind, id, owner, why, bytes)
    VALUES (p_at, p_kind, p_id, p_owner, p_why, substring(p_bytes FROM 1 FOR 65536));
  DELETE FROM damaged WHERE seq <= (SELECT seq FROM damaged ORDER BY seq DESC OFFSET 1000 LIMIT 1);
$$;

-- Its credits: what was not sent is not paid for; what may have been is.
CREATE FUNCTION set_job_aside(p_seq bigint, p_version bigint, p_why text, p_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lost jobs;
BEGIN
  SELECT * INTO lost FROM jobs WHERE seq = p_seq AND version = p_version FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM settle_lost(lost.id, lost.community, lost.owner, lost.state);
  PERFORM keep_damaged(p_now, 'job', lost.id, lost.owner, p_why, lost.body);
  RETURN remove_job(lost.id, p_version, p_now);
END $$;

CREATE FUNCTION settle_lost(p_id text, p_community text, p_owner text, p_state text) RETURNS void LANGUAGE sql AS $$
  SELECT move_charge(job, p_community, p_owner, CASE WHEN p_state IN ('opening', 'waiting') THEN 'returned' ELSE 'spent' END)
    FROM charges WHERE job = p_id AND charge = 'reserved'
$$;

-- p_seq: only in place of this one; 0: only if there is none; null: in any case. False: it was not as expected.
CREATE FUNCTION put_entry(p_namespace text, p_key text, p_value bytea, p_expires bigint, p_owner text, p_seq bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_owner IS NOT NULL THEN PERFORM pg_advisory_xact_lock_shared(person_key(p_owner)); END IF;
  IF p_seq IS NULL THEN
    INSERT INTO entries (namespace, key, value, expires, owner) VALUES (p_namespace, p_key, p_value, p_expires, p_owner)
      ON CONFLICT (namespace, key) DO UPDATE
      SET value = excluded.value, expires = excluded.expires, owner = excluded.owner, seq = excluded.seq;
  ELSIF p_seq = 0 THEN
    INSERT INTO entries (namespace, key, value, expires, owner) VALUES (p_namespace, p_key, p_value, p_expires, p_owner)
      ON CONFLICT DO NOTHING;
  ELSE
    UPDATE entries SET value = p_value, expires = p_expires, owner = p_owner, seq = nextval('entries_seq')
      WHERE namespace = p_namespace AND key = p_key AND seq = p_seq;
  END IF;
  RETURN FOUND;
END $$;

CREATE FUNCTION begin_erasure(p_person text, p_direct text, p_day text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(person_key(p_person));
  INSERT INTO erasures (person, direct, day, jobs, audit, entries)
    VALUES (p_person, p_direct, p_day, nextval('jobs_seq'), nextval('audit_seq'), nextval('entries_seq'))
    ON CONFLICT (person) DO UPDATE SET direct = excluded.direct, day = excluded.day, jobs = excluded.jobs,
      audit = excluded.audit, entries = excluded.entries, finished = false;
END $$;
`;
