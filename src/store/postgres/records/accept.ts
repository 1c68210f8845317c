import { personKey } from '../../../command/place.ts';
import { dayOf } from '../../../orchestrator/job/day.ts';
import type { Accepted, NewJob } from '../../../orchestrator/job/records.ts';
import { Refusal } from '../../../orchestrator/job/refusal.ts';
import { allowanceRefusal, mostUnfinished, rateRefusal, waitingRefusal } from '../../records/acceptance.ts';
import { sealLine } from '../../records/audit-body.ts';
import { endOf, sealJob } from '../../records/job-body.ts';
import { lineOf, processOf } from '../../records/line-columns.ts';
import { talliesOf } from '../../records/tallies.ts';
import { storable } from '../seal/columns.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { columns, type JobReader } from './read-jobs.ts';

const ARGUMENTS = Array.from({ length: 24 }, (_, index) => `$${index + 1}`).join(', ');
const ACCEPT = `SELECT *, CASE WHEN outcome = 'accepted' AND $25::text IS NOT NULL THEN bind_job($1, $25) END,
  CASE WHEN outcome = 'accepted' THEN tally($4, 'job', $26, $27, $16) END,
  CASE WHEN outcome = 'accepted' THEN tally($4, 'filter', $28, $29, $16) END
  FROM accept_job(${ARGUMENTS})`;
/** Found jobs that turn out to be damaged are set aside, and then it is asked again. */
const MOST_TRIES = 5;

/** Accepts a job, or rejects with a Refusal; all of it in one round trip. */
export function createAccept({ database, seal, blind, memberId }: JobTableParts, { read }: JobReader) {
  const { query } = database;
  const ask = (order: NewJob) => {
    const { job, limits, dailyCredits, line } = order;
    const tallies = talliesOf(order);
    const tallied = (['job', 'filter'] as const).map((what) => tallies.find((tally) => tally.what === what));
    return query(ACCEPT, [
      job.id,
      blind(job.origin),
      blind(personKey(job.caller)),
      blind(job.place.community),
      job.state,
      job.due === undefined ? null : Math.ceil(job.due),
      Math.floor(job.createdAt),
      endOf(job),
      job.version,
      job.againOf === undefined ? null : blind(job.againOf),
      lineOf(job),
      sealJob(job, seal),
      memberId(),
      job.day,
      dayOf(job.createdAt),
      job.credits,
      dailyCredits,
      limits.userJobsPerMinute,
      mostUnfinished(limits),
      Math.floor(line.at),
      blind(line.community),
      blind(line.actor),
      line.action,
      sealLine(line, seal),
      processOf(job),
      ...tallied.flatMap((tally) => [tally?.hour ?? null, tally === undefined ? null : storable(tally.name)]),
    ]);
  };

  return async (order: NewJob): Promise<Accepted> => {
    for (let tries = 1; ; tries += 1) {
      const [answer] = await ask(order);
      const { outcome, seq } = answer ?? {};
      const counted = Number(answer?.counted);
      if (outcome === 'accepted') return { job: order.job, known: false };
      if (outcome === 'rate') throw rateRefusal(order, counted);
      if (outcome === 'waiting') throw waitingRefusal(order, counted);
      if (outcome === 'allowance') throw allowanceRefusal(order, counted);
      if (outcome === 'deleted') throw new Refusal({ code: 'deleted' });
      const [row] = await query(`SELECT ${columns} FROM jobs j WHERE j.seq = $1`, [seq]);
      const job = row && (await read(row));
      if (job !== undefined) return { job, known: true };
      // Its person has been erased, or it was damaged.
      if (outcome === 'known') throw new Refusal({ code: 'deleted' });
      if (tries === MOST_TRIES) throw new Error('A job could not be accepted: its forerunner is unreadable.');
    }
  };
}
