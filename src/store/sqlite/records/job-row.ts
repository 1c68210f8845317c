import { LONGEST_BODY } from '../../records/jobs/job-body.ts';

export type Row = Record<string, unknown>;

/**
 * What is looked up by stands in columns, everything else in a sealed body. A damaged number may be larger than any that can be read.
 */
export const columns = `seq, id, owner, community, state,
    iif(version BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}, version, NULL) AS version, service_id, length(body) AS length,
    CASE WHEN length(body) <= ${LONGEST_BODY} THEN body END AS body`;
