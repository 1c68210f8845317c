import type { Records } from '../../base/keyv/records.ts';
import type { Log } from '../../log/log.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import { Refusal } from '../../orchestrator/job/refusal.ts';
import type { Ceiling, OwnerNotice } from './notices.ts';

interface Told {
  readonly near?: boolean;
  readonly reached?: boolean;
}

/** The notices that owners have had, by the day: each once, from whichever process. */
export const ceilingRecords = {
  isValid: (_: string, value: unknown): boolean => typeof value === 'object' && value !== null,
};

const NEAR = 0.8;
const KEPT_MS = 3 * 86_400_000;

/** Tells the owners when everybody together has used most of `SERVICE_DAILY_CREDITS`, and when a job was refused for it. */
export function createCeilingNotices(
  records: Pick<Records, 'update'>,
  most: number | undefined,
  ownerNotice: OwnerNotice,
  log: Pick<Log, 'warn'>,
) {
  /** Spares the store a question for every job. */
  let known: { readonly day: string; readonly told: Told } | undefined;

  const tell = async (level: keyof Told, day: string, ceiling: Ceiling): Promise<void> => {
    const isKnown = (was: Told | undefined): boolean => was?.[level] === true || was?.reached === true;
    if (known?.day === day && isKnown(known.told)) return;
    let isNew = false;
    // Stored first: a message that is lost is better than one that is repeated after every restart.
    const now = await records.update<Told>(
      day,
      (was) => {
        isNew = !isKnown(was);
        return isNew ? { ...was, [level]: true } : undefined;
      },
      KEPT_MS,
    );
    known = { day, told: now ?? {} };
    if (isNew) ownerNotice(level === 'near' ? 'service-ceiling-near' : 'service-ceiling', undefined, ceiling);
  };
  const note = (level: keyof Told, day: string, ceiling: Ceiling): void =>
    void tell(level, day, ceiling).catch((error: unknown) =>
      log.warn({ err: error }, 'a notice could not be stored'),
    );

  return {
    /** `total`: what everybody has taken on the day of the job. By now, or by the clock of another process, it may be another day. */
    accepted(total: number | undefined, day: string): void {
      if (most === undefined || total === undefined || total < NEAR * most) return;
      note(total < most ? 'near' : 'reached', day, { used: total, most });
    },
    refused(error: unknown): void {
      if (most === undefined || !(error instanceof Refusal) || error.reason.code !== 'ceiling') return;
      const { of, left, resetsAt } = error.reason;
      if (of === 'service') note('reached', dayOf(resetsAt - 1), { used: most - left, most });
    },
  };
}
