/** Part of the migrations. Nothing is counted under a name that is null, nor under more than `MOST_NAMES`. */
export const tallyTables = `
CREATE TABLE tallies (
  community text NOT NULL,
  what text NOT NULL,
  hour bigint NOT NULL,
  name text NOT NULL,
  count bigint NOT NULL,
  credits bigint NOT NULL,
  PRIMARY KEY (community, what, hour, name)
);
CREATE INDEX tallies_hour ON tallies (hour);

CREATE FUNCTION tally(p_community text, p_what text, p_hour bigint, p_name text, p_credits bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_name IS NULL THEN RETURN; END IF;
  UPDATE tallies SET count = count + 1, credits = credits + p_credits
    WHERE community = p_community AND what = p_what AND hour = p_hour AND name = p_name;
  IF FOUND THEN RETURN; END IF;
  INSERT INTO tallies AS t (community, what, hour, name, count, credits)
    SELECT p_community, p_what, p_hour, p_name, 1, p_credits
    WHERE (SELECT count(*) FROM tallies o WHERE o.community = p_community AND o.what = p_what AND o.hour = p_hour)
      < 100
    ON CONFLICT (community, what, hour, name) DO UPDATE SET count = t.count + 1, credits = t.credits + p_credits;
END $$;
`;
