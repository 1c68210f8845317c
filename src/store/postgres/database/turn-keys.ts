import { saveFunction } from './functions.ts';
import { slotFunctions, takeFunction } from './line-functions.ts';
import { LOCK_BEFORE_SAVE } from './lock-order.ts';
import { NOT_OF_OTHERS } from './photo-processes.ts';

/**
 * Part of the migrations. `turn_of`: who takes turns with others and has the slots (`turnKey`): the owner, where a process of an
 * older version accepts a job; absent for jobs that had ended before it.
 */
export const turnKeys = `
ALTER TABLE jobs ADD COLUMN turn_of text;
UPDATE jobs SET turn_of = owner WHERE finished_at IS NULL OR line IS NOT NULL OR slot = 1;
CREATE INDEX jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
DROP INDEX jobs_places;
CREATE INDEX jobs_places ON jobs (turn, seq) INCLUDE (turn_of) WHERE line IS NOT NULL;
CREATE FUNCTION own_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.turn_of := NEW.owner;
  RETURN NEW;
END $$;
CREATE TRIGGER own_turn BEFORE INSERT ON jobs FOR EACH ROW WHEN (NEW.turn_of IS NULL) EXECUTE FUNCTION own_turn();

${slotFunctions('turn_of')}
${takeFunction(NOT_OF_OTHERS, 'turn_of')}
${saveFunction(LOCK_BEFORE_SAVE, 'turn_of')}

-- As the one without the last argument, which is also for processes of an older version. Where several take turns as one, their
-- limits are together; whoever has no other job may have one.
CREATE FUNCTION accept_job(
  p_id text, p_origin text, p_owner text, p_community text, p_state text, p_due bigint, p_created_at bigint,
  p_finished_at bigint, p_version bigint, p_again_of text, p_line text, p_body bytea, p_member text,
  p_day text, p_today text, p_credits bigint, p_daily bigint, p_per_minute bigint, p_most_open bigint,
  p_line_at bigint, p_line_community text, p_line_actor text, p_line_action text, p_line_detail bytea,
  p_grants_of text, p_community_most bigint, p_service_most bigint, p_most_given bigint, p_turn_of text,
  OUT outcome text, OUT seq bigint, OUT counted bigint, OUT total bigint
) LANGUAGE plpgsql AS $$
DECLARE
  accepted bigint;
  earliest bigint;
  unfinished bigint;
  is_only boolean;
BEGIN
  IF p_turn_of <> p_owner THEN
    PERFORM pg_advisory_xact_lock(person_key(p_turn_of));
    SELECT count(*), min(a.at) INTO accepted, earliest FROM acceptances a
      WHERE a.person = p_turn_of AND a.at > p_created_at - 60000 AND a.at <= p_created_at;
    SELECT count(*) INTO unfinished FROM jobs j WHERE j.turn_of = p_turn_of AND j.finished_at IS NULL;
    is_only := NOT EXISTS (SELECT FROM jobs j WHERE j.owner = p_owner AND j.finished_at IS NULL) AND NOT EXISTS
      (SELECT FROM acceptances a WHERE a.person = p_owner AND a.at > p_created_at - 60000 AND a.at <= p_created_at);
    IF accepted >= p_per_minute AND NOT is_only THEN p_per_minute := 0; END IF;
    IF unfinished >= p_most_open AND NOT is_only THEN p_most_open := 0; END IF;
  END IF;
  SELECT a.* INTO outcome, seq, counted, total FROM accept_job(
    p_id, p_origin, p_owner, p_community, p_state, p_due, p_created_at, p_finished_at, p_version, p_again_of, p_line,
    p_body, p_member, p_day, p_today, p_credits, p_daily, p_per_minute, p_most_open, p_line_at, p_line_community,
    p_line_actor, p_line_action, p_line_detail, p_grants_of, p_community_most, p_service_most, p_most_given) a;
  IF p_turn_of = p_owner THEN RETURN; END IF;
  IF outcome = 'rate' THEN counted := earliest; END IF;
  IF outcome = 'waiting' THEN counted := unfinished; END IF;
  IF outcome <> 'accepted' THEN RETURN; END IF;
  UPDATE jobs j SET turn_of = p_turn_of, turn = CASE WHEN p_line IS NOT NULL THEN next_turn(p_turn_of) END WHERE j.id = p_id;
  INSERT INTO acceptances (person, at) VALUES (p_turn_of, p_created_at);
END $$;
`;
