import { personKey } from '../../../command/place.ts';
import { hasEnded, type Job } from '../../../orchestrator/job/job.ts';
import { dueKindOf, type JobRecords, ServiceIdTaken } from '../../../orchestrator/job/records.ts';
import { endOf, sealJob, serviceIdOf } from '../../records/jobs/job-body.ts';
import { lineOf } from '../../records/jobs/line-columns.ts';
import { tallyOfEnd } from '../../records/tallies.ts';
import { isTaken } from '../database/postgres-error.ts';
import { storable } from '../seal/columns.ts';
import type { JobTableParts } from './job-table-parts.ts';
import { createPostpone } from './postpone.ts';

const ARGUMENTS = Array.from({ length: 17 }, (_, index) => `$${index + 1}`).join(', ');
const SAVE = `SELECT outcome, CASE WHEN outcome = 'saved' THEN tally($4, 'end', $18, $19, $20) END,
  CASE WHEN outcome = 'saved' AND $21::text IS NOT NULL THEN note_kind($1, $21) END
  FROM save_job(${ARGUMENTS}) AS outcome`;

const DEFER = `UPDATE jobs SET due = $3, version = $2 + 1, body = $4,
  member = CASE WHEN $6 AND held IS NOT NULL THEN member ELSE $5 END,
  held = CASE WHEN $6 THEN held END WHERE id = $1 AND version = $2 RETURNING 1`;

export function createSave(parts: JobTableParts): JobRecords['save'] {
  const { seal, blind, memberId, now } = parts;
  const { query } = parts.database;
  const postpone = createPostpone(parts);
  const write = async (before: Job, next: Job, keeps: boolean, isLossy: boolean): Promise<boolean> => {
    const { serviceId } = next;
    const claimed = serviceId === undefined || serviceId === before.serviceId ? undefined : serviceId;
    const [tally] = tallyOfEnd(before, next);
    try {
      const [answer] = await query(SAVE, [
        storable(before.id),
        before.version,
        blind(personKey(next.caller)),
        blind(next.place.community),
        next.state,
        dueOf(next),
        endOf(next),
        claimed === undefined ? null : blind(serviceIdOf(next, claimed)),
        sealJob(next, seal),
        keeps,
        lineOf(next),
        next.state === 'waiting' && next.resting !== undefined,
        before.charge === next.charge ? null : next.charge,
        next.forget === true && next.settled,
        isLossy,
        memberId(),
        now(),
        tally?.hour ?? null,
        tally === undefined ? null : storable(tally.name),
        tally?.credits ?? null,
        hasEnded(next) && !hasEnded(before) ? next.request.kind : null,
      ]);
      if (answer?.outcome === 'taken') throw new ServiceIdTaken();
      return answer?.outcome === 'saved';
    } catch (error) {
      // The unique index decides: two answers with the same id cannot both be taken.
      throw isTaken(error, 'jobs_service_id') ? new ServiceIdTaken() : error;
    }
  };
  const defer = async (before: Job, next: Job, keeps: boolean, isLossy: boolean): Promise<boolean> => {
    const [id, due, body] = [storable(before.id), dueOf(next), sealJob(next, seal)];
    const { version } = before;
    if (isLossy) return postpone({ id, version, due, body, keeps });
    return (await query(DEFER, [id, version, due, body, memberId(), keeps])).length > 0;
  };

  return async (before, after, durability = 'durable', hand = 'keep') => {
    const next: Job = { ...after, version: before.version + 1 };
    const keeps = hand === 'keep' && dueKindOf(before.state) === dueKindOf(next.state);
    const isSimple = before.state === next.state && next.state !== 'waiting' && before.charge === next.charge;
    const isLossy = durability === 'lossy' && before.charge === next.charge && !next.forget;
    const put = isSimple && !(next.forget && next.settled) ? defer : write;
    return (await put(before, next, keeps, isLossy)) ? next : undefined;
  };
}

const dueOf = ({ due }: Job): number | null => (due === undefined ? null : Math.ceil(due));
