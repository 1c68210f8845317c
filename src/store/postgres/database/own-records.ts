/**
 * Part of the migrations. Lines about a person's own faces (face.…) can be deleted on request like those about their jobs. And
 * a record whose owner asked for its deletion is not changed any more by whoever read it before that.
 */
export const ownRecords = `
DROP TRIGGER audit_kept ON audit;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
  FOR EACH ROW WHEN (substr(OLD.action, 1, 3) <> 'job' AND substr(OLD.action, 1, 5) <> 'face.'
    AND OLD.at > (extract(epoch FROM now()) - 90 * 86400) * 1000)
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');

CREATE FUNCTION change_entry(p_namespace text, p_key text, p_value bytea, p_expires bigint, p_owner text, p_seq bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_owner IS NOT NULL THEN PERFORM pg_advisory_xact_lock_shared(person_key(p_owner)); END IF;
  UPDATE entries n SET value = p_value, expires = p_expires, owner = p_owner, seq = nextval('entries_seq')
    WHERE n.namespace = p_namespace AND n.key = p_key AND n.seq = p_seq AND NOT EXISTS
      (SELECT FROM erasures e WHERE e.person = n.owner AND NOT e.finished AND n.seq <= e.entries);
  RETURN FOUND;
END $$;
`;
