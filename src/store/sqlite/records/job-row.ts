import type { Job } from '../../../orchestrator/job/job.ts';
import { parseJob } from '../../records/job-shape.ts';
import type { Seal } from '../../records/seal.ts';

export type Row = Record<string, unknown>;

const PURPOSE = 'job';
/** Prompts are some thousand characters at the most. */
const LONGEST_BODY = 262_144;

/** What is looked up by stands in columns, everything else in a sealed body. */
export const columns = `seq, id, owner, community, state, version, service_id, length(body) AS length,
    CASE WHEN length(body) <= ${LONGEST_BODY} THEN body END AS body`;

export const sealJob = ({ version: _, ...job }: Job, seal: Seal) => seal.seal(JSON.stringify(job), PURPOSE);

/** Throws when it is damaged. */
export function openJob(row: Row, seal: Seal): Job {
  if (row.body === null && Number(row.length) > LONGEST_BODY)
    throw new Error(`it is ${row.length} bytes long`);
  const job = parseJob(seal.open(row.body, PURPOSE));
  if (job.id !== row.id || job.state !== row.state || !Number.isSafeInteger(row.version))
    throw new Error('its columns and its body disagree');
  return { ...job, version: Number(row.version) };
}
