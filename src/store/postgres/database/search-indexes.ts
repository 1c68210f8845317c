/**
 * Part of the migrations: ended jobs by community, by kind and by how they ended. Polls write none of these indexes. `kind` is noted
 * at the end of a job; it is absent for jobs from before it.
 */
export const searchIndexes = `
ALTER TABLE jobs ADD COLUMN kind text;
CREATE INDEX jobs_by_community ON jobs (community COLLATE "C", seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_kind ON jobs (kind, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_end ON jobs (state, seq) WHERE state IN ('failed', 'cancelled', 'uncertain');

CREATE FUNCTION note_kind(p_id text, p_kind text) RETURNS void LANGUAGE sql AS $$
  UPDATE jobs SET kind = p_kind WHERE id = p_id AND p_kind IS NOT NULL;
$$;
`;
