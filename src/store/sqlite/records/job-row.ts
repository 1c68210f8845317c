import { LONGEST_BODY } from '../../records/jobs/job-body.ts';

export type Row = Record<string, unknown>;

/** What is looked up by stands in columns, everything else in a sealed body. */
export const columns = `seq, id, owner, community, state, version, service_id, length(body) AS length,
    CASE WHEN length(body) <= ${LONGEST_BODY} THEN body END AS body`;
