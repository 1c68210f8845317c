/**
 * Part of the migrations. `totals`: credits of everybody together by the day, in parts by community, so that jobs of different
 * communities do not wait for each other; counted by triggers, so that no way of taking or returning credits can forget one.
 * `grants`: credits that a community gave to a person; `granted`: how much of a day or a charge was paid from them.
 */
export const ledgerTables = `
CREATE TABLE totals (day text NOT NULL, part bigint NOT NULL, credits bigint NOT NULL, PRIMARY KEY (day, part));
CREATE FUNCTION count_total() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint := NEW.reserved + NEW.spent;
BEGIN
  IF TG_OP = 'UPDATE' THEN change := change - OLD.reserved - OLD.spent; END IF;
  INSERT INTO totals AS t (day, part, credits) VALUES (NEW.day, hashtext(NEW.community) & 15, change)
    ON CONFLICT (day, part) DO UPDATE SET credits = t.credits + change;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_total_inserted AFTER INSERT ON usage
  FOR EACH ROW WHEN (NEW.person = '') EXECUTE FUNCTION count_total();
CREATE TRIGGER usage_total_changed AFTER UPDATE OF reserved, spent ON usage
  FOR EACH ROW WHEN (NEW.person = '' AND NEW.reserved + NEW.spent <> OLD.reserved + OLD.spent)
  EXECUTE FUNCTION count_total();
-- Nobody else writes from the making of the triggers until the end of this transaction.
INSERT INTO totals SELECT day, 0, sum(reserved + spent) FROM usage WHERE person = '' GROUP BY day;

ALTER TABLE usage ADD COLUMN granted bigint NOT NULL DEFAULT 0 CHECK (granted >= 0);
ALTER TABLE charges ADD COLUMN granted bigint NOT NULL DEFAULT 0 CHECK (granted >= 0), ADD COLUMN grants_of text;
CREATE TABLE grants (
  community text NOT NULL,
  person text NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  at bigint NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (community, person)
);
CREATE INDEX grants_person ON grants (person);
CREATE INDEX grants_used_up ON grants (at) WHERE credits = 0;

-- As before, and the part that was paid from a grant goes back to it, if it is still there.
CREATE OR REPLACE FUNCTION move_charge(p_job text, p_community text, p_person text, p_to text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known charges;
  reserved_by bigint;
  spent_by bigint;
  granted_by bigint;
BEGIN
  SELECT * INTO known FROM charges WHERE job = p_job FOR UPDATE;
  IF NOT FOUND OR NOT (known.charge = 'reserved' AND p_to IN ('spent', 'returned') OR known.charge = 'spent' AND p_to = 'returned')
    THEN RETURN false; END IF;
  UPDATE charges SET charge = p_to WHERE job = p_job;
  reserved_by := CASE known.charge WHEN 'reserved' THEN -known.credits ELSE 0 END;
  spent_by := CASE p_to WHEN 'spent' THEN known.credits ELSE 0 END - CASE known.charge WHEN 'spent' THEN known.credits ELSE 0 END;
  granted_by := CASE p_to WHEN 'returned' THEN known.granted ELSE 0 END;
  -- The grant first, then the person, then everybody (''): always in this order, so that nobody waits in a circle.
  IF granted_by > 0 THEN
    UPDATE grants SET credits = credits + granted_by WHERE community = known.grants_of AND person = p_person;
  END IF;
  UPDATE usage SET reserved = greatest(0, reserved + reserved_by), spent = greatest(0, spent + spent_by),
      granted = greatest(0, granted - granted_by)
    WHERE day = known.day AND community = p_community AND person = p_person;
  UPDATE usage SET reserved = greatest(0, reserved + reserved_by), spent = greatest(0, spent + spent_by)
    WHERE day = known.day AND community = p_community AND person = '';
  RETURN true;
END $$;

-- The one without the last three arguments is for processes of an older version.
-- outcome: accepted, known (seq), again (seq), deleted, rate (counted: since when), waiting (counted), or allowance, community or
-- service (counted: the credits that are left). total: of everybody, where there is a ceiling.
CREATE FUNCTION accept_job(
  p_id text, p_origin text, p_owner text, p_community text, p_state text, p_due bigint, p_created_at bigint,
  p_finished_at bigint, p_version bigint, p_again_of text, p_line text, p_body bytea, p_member text,
  p_day text, p_today text, p_credits bigint, p_daily bigint, p_per_minute bigint, p_most_open bigint,
  p_line_at bigint, p_line_community text, p_line_actor text, p_line_action text, p_line_detail bytea,
  p_grants_of text, p_community_most bigint, p_service_most bigint,
  OUT outcome text, OUT seq bigint, OUT counted bigint, OUT total bigint
) LANGUAGE plpgsql AS $$
DECLARE
  accepted bigint;
  from_grant bigint;
  grant_left bigint;
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
  SELECT greatest(0, p_daily - coalesce(sum(u.reserved + u.spent - u.granted), 0)) INTO counted FROM usage u
    WHERE u.day = p_today AND u.community = p_community AND u.person = p_owner;
  from_grant := greatest(0, p_credits - counted);
  IF from_grant > 0 THEN
    SELECT g.credits INTO grant_left FROM grants g WHERE g.community = p_grants_of AND g.person = p_owner FOR UPDATE;
    counted := counted + coalesce(grant_left, 0);
    IF p_credits > counted THEN outcome := 'allowance'; RETURN; END IF;
  END IF;
  -- Only accepting a job takes credits: one at a time where there is a ceiling, until it is committed.
  IF p_community_most IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/credits/' || p_community, 0));
    SELECT p_community_most - coalesce(sum(u.reserved + u.spent), 0) INTO counted FROM usage u
      WHERE u.day = p_today AND u.community = p_community AND u.person = '';
    IF p_credits > counted THEN outcome := 'community'; RETURN; END IF;
  END IF;
  IF p_service_most IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/credits', 0));
    SELECT coalesce(sum(t.credits), 0) INTO total FROM totals t WHERE t.day = p_today;
    counted := p_service_most - total;
    IF p_credits > counted THEN outcome := 'service'; RETURN; END IF;
    total := total + p_credits;
  END IF;
  IF from_grant > 0 THEN
    UPDATE grants g SET credits = g.credits - from_grant, at = p_created_at
      WHERE g.community = p_grants_of AND g.person = p_owner;
  END IF;
  INSERT INTO jobs (id, origin, owner, community, state, due, created_at, finished_at, version, again_of,
      credentials, line, turn, slot, member, body)
    VALUES (p_id, p_origin, p_owner, p_community, p_state, p_due, p_created_at, p_finished_at, p_version, p_again_of,
      p_line, p_line, CASE WHEN p_line IS NOT NULL THEN next_turn(p_owner) END,
      CASE WHEN p_state IN ('submitting', 'running') THEN 1 ELSE 0 END, p_member, p_body);
  INSERT INTO charges (job, day, credits, charge, granted, grants_of)
    VALUES (p_id, p_day, p_credits, 'reserved', from_grant, CASE WHEN from_grant > 0 THEN p_grants_of END);
  INSERT INTO usage AS u (day, community, person, reserved, granted, jobs)
    VALUES (p_day, p_community, p_owner, p_credits, from_grant, 1)
    ON CONFLICT (day, community, person) DO UPDATE
    SET reserved = u.reserved + p_credits, granted = u.granted + from_grant, jobs = u.jobs + 1;
  INSERT INTO usage AS u (day, community, person, reserved, jobs) VALUES (p_day, p_community, '', p_credits, 1)
    ON CONFLICT (day, community, person) DO UPDATE SET reserved = u.reserved + p_credits, jobs = u.jobs + 1;
  INSERT INTO acceptances (person, at) VALUES (p_owner, p_created_at);
  INSERT INTO audit (at, community, actor, action, detail)
    VALUES (p_line_at, p_line_community, p_line_actor, p_line_action, p_line_detail);
  outcome := 'accepted';
END $$;

-- outcome: added, most (more than p_most would be left) or full (p_people have some). Once for each event.
CREATE FUNCTION add_grant(
  p_community text, p_person text, p_credits bigint, p_most bigint, p_people bigint, p_body bytea, p_event text, p_at bigint,
  OUT outcome text, OUT remaining bigint
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/grants/' || p_community, 0));
  SELECT g.credits INTO remaining FROM grants g WHERE g.community = p_community AND g.person = p_person FOR UPDATE;
  remaining := coalesce(remaining, 0);
  outcome := 'added';
  IF EXISTS (SELECT FROM removed WHERE origin = p_event) THEN RETURN; END IF;
  IF remaining + p_credits > p_most THEN outcome := 'most'; RETURN; END IF;
  IF remaining = 0 AND (SELECT count(*) FROM grants g WHERE g.community = p_community AND g.credits > 0) >= p_people
    THEN outcome := 'full'; RETURN; END IF;
  INSERT INTO grants AS g (community, person, credits, at, body) VALUES (p_community, p_person, p_credits, p_at, p_body)
    ON CONFLICT (community, person) DO UPDATE SET credits = g.credits + p_credits, at = p_at, body = p_body
    RETURNING g.credits INTO remaining;
  PERFORM remember(p_event, p_at);
END $$;

-- As before, and the person's grants are gone at once.
CREATE OR REPLACE FUNCTION begin_erasure(p_person text, p_direct text, p_day text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(person_key(p_person));
  INSERT INTO erasures (person, direct, day, jobs, audit, entries)
    VALUES (p_person, p_direct, p_day, nextval('jobs_seq'), nextval('audit_seq'), nextval('entries_seq'))
    ON CONFLICT (person) DO UPDATE SET direct = excluded.direct, day = excluded.day, jobs = excluded.jobs,
      audit = excluded.audit, entries = excluded.entries, finished = false;
  DELETE FROM grants WHERE person = p_person;
END $$;
`;
