import { personKey, turnKey } from '../../../command/place.ts';
import { dayOf } from '../../../orchestrator/job/day.ts';
import type { Accepted, NewJob } from '../../../orchestrator/job/records.ts';
import { Refusal } from '../../../orchestrator/job/refusal.ts';
import { sealLine } from '../../records/audit-body.ts';
import {
  allowanceRefusal,
  ceilingRefusal,
  mostUnfinished,
  rateRefusal,
  waitingRefusal,
} from '../../records/jobs/acceptance.ts';
import { endOf, sealJob } from '../../records/jobs/job-body.ts';
import { lineOf, processOf } from '../../records/jobs/line-columns.ts';
import { talliesOf } from '../../records/tallies.ts';
import { storable } from '../seal/columns.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { columns, type JobReader } from './read-jobs.ts';

const ARGUMENTS = Array.from({ length: 29 }, (_, index) => `$${index + 1}`).join(', ');
const ACCEPT = `SELECT *, CASE WHEN outcome = 'accepted' AND $30::text IS NOT NULL THEN bind_job($1, $30) END,
  CASE WHEN outcome = 'accepted' THEN tally($4, 'job', $31, $32, $16) END,
  CASE WHEN outcome = 'accepted' THEN tally($4, 'filter', $33, $34, $16) END
  FROM accept_job(${ARGUMENTS})`;
/** Found jobs that turn out to be damaged are set aside, and then it is asked again. */
const MOST_TRIES = 5;

/** Accepts a job, or rejects with a Refusal; all of it in one round trip. */
export function createAccept({ database, seal, blind, memberId }: JobTableParts, { read }: JobReader) {
  const { query } = database;
  const ask = (order: NewJob) => {
    const { job, limits, dailyCredits, mostGiven, grantsOf, communityCredits, line } = order;
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
      grantsOf === undefined ? null : blind(grantsOf),
      communityCredits ?? null,
      limits.serviceDailyCredits ?? null,
      mostGiven ?? null,
      blind(turnKey(job.caller)),
      processOf(job),
      ...tallied.flatMap((tally) => [tally?.hour ?? null, tally === undefined ? null : storable(tally.name)]),
    ]);
  };

  return async (order: NewJob): Promise<Accepted> => {
    for (let tries = 1; ; tries += 1) {
      const [answer] = await ask(order);
      const { outcome, seq } = answer ?? {};
      const counted = Number(answer?.counted);
      if (outcome === 'accepted') return { job: order.job, known: false, ...totalOf(answer?.total) };
      if (outcome === 'rate') throw rateRefusal(order, counted);
      if (outcome === 'waiting') throw waitingRefusal(order, counted);
      if (outcome === 'allowance') throw allowanceRefusal(order, counted);
      if (outcome === 'community' || outcome === 'service') throw ceilingRefusal(order, outcome, counted);
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

const totalOf = (total: unknown): Pick<Accepted, 'total'> =>
  total === null || total === undefined ? {} : { total: Number(total) };
