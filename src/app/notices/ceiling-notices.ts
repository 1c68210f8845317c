import { DAY_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { Log } from '../../log/log.ts';
import { dayOf, monthOf } from '../../orchestrator/job/day.ts';
import type { Accepted } from '../../orchestrator/job/records.ts';
import { Refusal } from '../../orchestrator/job/refusal.ts';
import type { Ceiling, OwnerNotice } from './notices.ts';

interface Told {
  readonly near?: boolean;
  readonly reached?: boolean;
}

/** The notices that owners have had, by the day or the month: each once, from whichever process. */
export const ceilingRecords = {
  isValid: (_: string, value: unknown): boolean => typeof value === 'object' && value !== null,
};

/** The ceilings for everybody together that owners are told of: the time that each is for, how long its record is kept, its notices. */
const CEILINGS = {
  day: { keptMs: 3 * DAY_MS, near: 'service-ceiling-near', reached: 'service-ceiling' },
  month: { keptMs: 40 * DAY_MS, near: 'month-ceiling-near', reached: 'month-ceiling' },
} as const;
type Period = keyof typeof CEILINGS;

const NEAR = 0.8;

/** Tells the owners when everybody together has used most of `SERVICE_DAILY_CREDITS` or `SERVICE_MONTHLY_CREDITS`, and when a job was refused for it. */
export function createCeilingNotices(
  records: Pick<Records, 'update'>,
  limits: Readonly<Partial<Record<Period, number | undefined>>>,
  ownerNotice: OwnerNotice,
  log: Pick<Log, 'warn'>,
) {
  /** The latest record of each, which spares the store a question for every job. */
  const known = new Map<Period, { readonly key: string; readonly told: Told }>();

  const tell = async (level: keyof Told, key: string, ceiling: Ceiling): Promise<void> => {
    const { keptMs, [level]: notice } = CEILINGS[ceiling.of];
    const isKnown = (was: Told | undefined): boolean => was?.[level] === true || was?.reached === true;
    const latest = known.get(ceiling.of);
    if (latest?.key === key && isKnown(latest.told)) return;
    let isNew = false;
    // Stored first: a message that is lost is better than one that is repeated after every restart.
    const now = await records.update<Told>(
      key,
      (was) => {
        isNew = !isKnown(was);
        return isNew ? { ...was, [level]: true } : undefined;
      },
      keptMs,
    );
    known.set(ceiling.of, { key, told: now ?? {} });
    if (isNew) ownerNotice(notice, undefined, ceiling);
  };
  /** `key`: the day or the month, which by now, or by the clock of another process, may be over. */
  const note = (level: keyof Told, key: string, ceiling: Ceiling): void =>
    void tell(level, key, ceiling).catch((error: unknown) =>
      log.warn({ err: error }, 'a notice could not be stored'),
    );

  return {
    /** `taken`: what everybody has used with this job; `day`: the day of the job. */
    accepted({ total, month }: Pick<Accepted, 'total' | 'month'>, day: string): void {
      const { day: most, month: mostOfMonth } = limits;
      if (most !== undefined && total !== undefined && total >= NEAR * most)
        note(total < most ? 'near' : 'reached', day, { of: 'day', used: total, most });
      // A month is reached only when a job is refused for it.
      if (mostOfMonth !== undefined && month !== undefined && month.credits >= NEAR * mostOfMonth)
        note('near', month.month, { of: 'month', used: month.credits, most: mostOfMonth });
    },
    refused(error: unknown): void {
      if (!(error instanceof Refusal) || error.reason.code !== 'ceiling') return;
      const { of, left, resetsAt } = error.reason;
      if (of === 'community') return;
      const period = of === 'service' ? 'day' : 'month';
      const most = limits[period];
      if (most === undefined) return;
      const lastDay = dayOf(resetsAt - 1);
      const key = period === 'day' ? lastDay : monthOf(lastDay);
      note('reached', key, { of: period, used: most - left, most });
    },
  };
}
