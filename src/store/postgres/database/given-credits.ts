/**
 * Part of the migrations. `given`: what moderators granted a person that day, under the first id of the community. `id`: another one
 * after a grant was taken back, so that what an old one paid for does not return to a later one.
 */
export const givenCredits = `
ALTER TABLE usage ADD COLUMN given bigint NOT NULL DEFAULT 0 CHECK (given >= 0);
ALTER TABLE grants ADD COLUMN id text NOT NULL DEFAULT '';
ALTER TABLE charges ADD COLUMN grant_id text NOT NULL DEFAULT '';

-- As before, but what was paid from a grant goes back to that one only.
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
    UPDATE grants SET credits = credits + granted_by
      WHERE community = known.grants_of AND person = p_person AND id = known.grant_id;
  END IF;
  UPDATE usage SET reserved = greatest(0, reserved + reserved_by), spent = greatest(0, spent + spent_by),
      granted = greatest(0, granted - granted_by)
    WHERE day = known.day AND community = p_community AND person = p_person;
  UPDATE usage SET reserved = greatest(0, reserved + reserved_by), spent = greatest(0, spent + spent_by)
    WHERE day = known.day AND community = p_community AND person = '';
  RETURN true;
END $$;

-- As the one without the last argument, which is also for processes of an older version; of the allowance, what moderators have
-- not given as grants today. It and add_grant have the person's lock.
CREATE FUNCTION accept_job(
  p_id text, p_origin text, p_owner text, p_community text, p_state text, p_due bigint, p_created_at bigint,
  p_finished_at bigint, p_version bigint, p_again_of text, p_line text, p_body bytea, p_member text,
  p_day text, p_today text, p_credits bigint, p_daily bigint, p_per_minute bigint, p_most_open bigint,
  p_line_at bigint, p_line_community text, p_line_actor text, p_line_action text, p_line_detail bytea,
  p_grants_of text, p_community_most bigint, p_service_most bigint, p_most_given bigint,
  OUT outcome text, OUT seq bigint, OUT counted bigint, OUT total bigint
) LANGUAGE plpgsql AS $$
DECLARE
  given bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(person_key(p_owner));
  SELECT coalesce(sum(u.given), 0) INTO given FROM usage u
    WHERE u.day = p_today AND u.community = p_grants_of AND u.person = p_owner;
  SELECT a.* INTO outcome, seq, counted, total FROM accept_job(
    p_id, p_origin, p_owner, p_community, p_state, p_due, p_created_at, p_finished_at, p_version, p_again_of, p_line,
    p_body, p_member, p_day, p_today, p_credits, least(p_daily, p_most_given - given), p_per_minute, p_most_open, p_line_at,
    p_line_community, p_line_actor, p_line_action, p_line_detail, p_grants_of, p_community_most, p_service_most) a;
  IF outcome = 'accepted' THEN
    UPDATE charges c SET grant_id = g.id FROM grants g
      WHERE c.job = p_id AND c.granted > 0 AND g.community = p_grants_of AND g.person = p_owner;
  END IF;
END $$;

-- outcome: added, most (rest could be given) or full (p_people have some). Once for each event. p_allowance: null where an owner
-- gives. The person's lock, then the community's: always in this order.
CREATE FUNCTION add_grant(
  p_community text, p_person text, p_credits bigint, p_most bigint, p_people bigint, p_body bytea, p_event text, p_at bigint,
  p_day text, p_ids text[], p_allowance bigint, p_from_owner bigint,
  OUT outcome text, OUT remaining bigint, OUT rest bigint
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(person_key(p_person));
  PERFORM pg_advisory_xact_lock(hashtextextended(current_schema() || '/grants/' || p_community, 0));
  SELECT g.credits INTO remaining FROM grants g WHERE g.community = p_community AND g.person = p_person FOR UPDATE;
  remaining := coalesce(remaining, 0);
  outcome := 'added';
  IF EXISTS (SELECT FROM removed WHERE origin = p_event) THEN RETURN; END IF;
  -- Null where p_allowance is: then only what is left counts.
  SELECT least(p_most - remaining, p_most - coalesce(sum(u.given) FILTER (WHERE u.community = p_community), 0) -
      CASE WHEN p_allowance IS NOT NULL
        THEN greatest(p_allowance, coalesce(sum(u.reserved + u.spent - u.granted), 0) - p_from_owner) END)
    INTO rest FROM usage u WHERE u.day = p_day AND u.person = p_person AND u.community = ANY(p_ids);
  IF p_credits > rest THEN outcome := 'most'; RETURN; END IF;
  IF remaining = 0 AND (SELECT count(*) FROM grants g WHERE g.community = p_community AND g.credits > 0) >= p_people
    THEN outcome := 'full'; RETURN; END IF;
  INSERT INTO grants AS g (community, person, id, credits, at, body)
    VALUES (p_community, p_person, gen_random_uuid()::text, p_credits, p_at, p_body)
    ON CONFLICT (community, person) DO UPDATE SET credits = g.credits + p_credits, at = p_at, body = p_body
    RETURNING g.credits INTO remaining;
  IF p_allowance IS NOT NULL THEN
    INSERT INTO usage AS u (day, community, person, given) VALUES (p_day, p_community, p_person, p_credits)
      ON CONFLICT (day, community, person) DO UPDATE SET given = u.given + p_credits;
  END IF;
  PERFORM remember(p_event, p_at);
END $$;

-- Says how much was left. What moderators gave that day and nobody used can be given again.
CREATE FUNCTION take_back_grant(p_community text, p_person text, p_day text, p_ids text[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(person_key(p_person));
  DELETE FROM grants WHERE community = p_community AND person = p_person RETURNING credits INTO taken;
  UPDATE usage SET given = given - least(taken, greatest(0, given - (SELECT sum(u.granted) FROM usage u
      WHERE u.day = p_day AND u.person = p_person AND u.community = ANY(p_ids))))
    WHERE day = p_day AND community = p_community AND person = p_person AND taken > 0;
  RETURN coalesce(taken, 0);
END $$;
`;
