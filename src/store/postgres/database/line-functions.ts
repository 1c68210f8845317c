/** The column that says whose turn it is and who has the slots; a later migration has changed it. */
type Whose = 'owner' | 'turn_of';

/** `and`: a condition that a later migration has added. */
export const takeFunction = (and = '', whose: Whose = 'owner'): string => `
CREATE OR REPLACE FUNCTION take_job(p_per_person bigint, p_in_all bigint, p_key text, p_token text, p_without text[], p_member text)
RETURNS SETOF jobs LANGUAGE plpgsql AS $$
DECLARE
  everybody slots;
  chosen record;
  running bigint;
  taken jobs;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO everybody FROM slots WHERE person = '' FOR UPDATE;
  IF everybody.running >= p_in_all THEN RETURN; END IF;
  IF everybody.per_person IS DISTINCT FROM p_per_person THEN
    -- The setting has changed. Those who are full by the new one are marked when it is their turn.
    UPDATE jobs j SET passed = 0 WHERE j.line IS NOT NULL AND j.passed = 1
      AND NOT EXISTS (SELECT FROM slots s WHERE s.person = j.${whose} AND s.running >= p_per_person);
    UPDATE slots SET per_person = p_per_person WHERE person = '';
  END IF;
  LOOP
    SELECT * INTO chosen FROM (
      (SELECT j.line, j.turn, j.seq, j.${whose} FROM jobs j WHERE p_key <> 'closed' AND j.line = 'key' AND j.passed = 0
        AND j.${whose} <> ALL (p_without) ${and} ORDER BY j.turn, j.seq LIMIT 1)
      UNION ALL
      (SELECT j.line, j.turn, j.seq, j.${whose} FROM jobs j WHERE p_token <> 'closed' AND j.line = 'token' AND j.passed = 0
        AND j.${whose} <> ALL (p_without) ${and} ORDER BY j.turn, j.seq LIMIT 1)
    ) AS firsts ORDER BY turn, seq LIMIT 1;
    IF NOT FOUND THEN RETURN; END IF;
    -- What came back again and again may be what the service stumbles over: another one tries it out.
    IF (CASE chosen.line WHEN 'key' THEN p_key ELSE p_token END) = 'trial' THEN
      SELECT j.line, j.turn, j.seq, j.${whose} INTO chosen FROM jobs j WHERE j.line = chosen.line AND j.passed = 0
        AND j.${whose} <> ALL (p_without) ${and} ORDER BY j.returns, j.turn, j.seq LIMIT 1;
      CONTINUE WHEN NOT FOUND;
    END IF;
    SELECT coalesce((SELECT s.running FROM slots s WHERE s.person = chosen.${whose}), 0) INTO running;
    IF running < p_per_person THEN
      UPDATE jobs SET slot = 1, line = NULL, held = 'submission', member = p_member
        WHERE seq = chosen.seq AND line IS NOT NULL AND passed = 0 RETURNING * INTO taken;
      CONTINUE WHEN NOT FOUND;
      UPDATE slots SET turn = greatest(turn, taken.turn) WHERE person = '';
      running := running + 1;
    END IF;
    IF running >= p_per_person THEN
      UPDATE jobs SET passed = 1 WHERE ${whose} = chosen.${whose} AND finished_at IS NULL AND line IS NOT NULL AND passed = 0;
    END IF;
    EXIT WHEN taken.seq IS NOT NULL;
  END LOOP;
  RETURN NEXT taken;
END $$;
`;

/** Whoever changes a slot locks the row of everybody (''), so slots are counted exactly. */
export const slotFunctions = (whose: Whose): string => `
CREATE OR REPLACE FUNCTION change_slots(p_person text, p_seq bigint, p_by integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reached bigint;
  lowest bigint;
  were_full smallint;
BEGIN
  UPDATE slots SET running = running + p_by WHERE person = '' RETURNING turn INTO reached;
  INSERT INTO slots AS s (person, running, turn) VALUES (p_person, greatest(p_by, 0), 0)
    ON CONFLICT (person) DO UPDATE SET running = s.running + p_by;
  DELETE FROM slots WHERE person = p_person AND running <= 0;
  IF p_by > 0 THEN RETURN; END IF;
  -- They were full and are no more: they do not overtake those who waited meanwhile.
  SELECT min(turn) FILTER (WHERE seq <> p_seq), max(passed) INTO lowest, were_full FROM jobs
    WHERE ${whose} = p_person AND finished_at IS NULL AND line IS NOT NULL;
  IF were_full IS DISTINCT FROM 1 THEN RETURN; END IF;
  UPDATE jobs SET passed = 0, turn = turn + greatest(0, reached + 1 - lowest)
    WHERE ${whose} = p_person AND finished_at IS NULL AND line IS NOT NULL AND seq <> p_seq;
END $$;

CREATE OR REPLACE FUNCTION count_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM change_slots(OLD.${whose}, OLD.seq, -1);
  ELSE
    PERFORM change_slots(NEW.${whose}, NEW.seq, CASE NEW.slot WHEN 1 THEN 1 ELSE -1 END);
  END IF;
  RETURN NULL;
END $$;

-- Of a job that enters the line for the first time. The caller has locked the person.
CREATE OR REPLACE FUNCTION next_turn(p_person text) RETURNS bigint LANGUAGE sql AS $$
  SELECT greatest((SELECT turn FROM slots WHERE person = ''),
    (SELECT max(turn) FROM jobs WHERE ${whose} = p_person AND finished_at IS NULL)) + 1
$$;
`;

/** Slots and the line. */
export const lineFunctions = `
${slotFunctions('owner')}
CREATE TRIGGER slot_inserted AFTER INSERT ON jobs FOR EACH ROW WHEN (NEW.slot = 1) EXECUTE FUNCTION count_slots();
CREATE TRIGGER slot_changed AFTER UPDATE OF slot ON jobs
  FOR EACH ROW WHEN (OLD.slot <> NEW.slot) EXECUTE FUNCTION count_slots();
CREATE TRIGGER slot_deleted AFTER DELETE ON jobs FOR EACH ROW WHEN (OLD.slot = 1) EXECUTE FUNCTION count_slots();

${takeFunction()}`;
