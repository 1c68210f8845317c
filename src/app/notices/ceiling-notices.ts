import { type Clock, createRepeat, DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { Log } from '../../log/log.ts';
import { dayOf, monthOf } from '../../orchestrator/job/day.ts';
import { OrderRefused } from '../../orchestrator/job/order-refused.ts';
import type { Accepted } from '../../orchestrator/job/records.ts';
import type { Ceiling, CeilingNotice } from './notices.ts';

/** A notice that is being sent. If its process dies meanwhile, nobody knows whether it was seen, and it is sent again. */
interface Telling {
  /** When this try began, which also tells it from others. */
  readonly since: number;
  readonly tries: number;
  readonly used: number;
  readonly most: number;
}

/** `true`: owners have had the notice. */
interface Told {
  readonly near?: true | Telling;
  readonly reached?: true | Telling;
}
type Level = keyof Told;
const LEVELS = ['near', 'reached'] as const satisfies readonly Level[];

/** The notices that owners have had, by the day or the month: each once, from whichever process. */
export const ceilingNoticeRecordRules = {
  isValid: (_: string, value: unknown): boolean => typeof value === 'object' && value !== null,
};

/** The ceilings for everybody together that owners are told of: the time that each is for, how long its record is kept, its notices. */
const CEILINGS = {
  day: { keptMs: 3 * DAY_MS, near: 'service-ceiling-near', reached: 'service-ceiling' },
  month: { keptMs: 40 * DAY_MS, near: 'month-ceiling-near', reached: 'month-ceiling' },
} as const;
type Period = keyof typeof CEILINGS;
const PERIODS = ['day', 'month'] as const satisfies readonly Period[];

const NEAR = 0.8;
/** Sending takes no longer, unless its process died. */
const SENT_WITHIN_MS = 2 * MINUTE_MS;
/** A notice that reaches nobody is given up after about an hour and a half. */
const MOST_TRIES = 40;
const LEFT_FOR_MS = 2 * HOUR_MS;

/** The day or the month at a time, as their records are named. */
function keyAt(of: Period, at: number): string {
  const day = dayOf(at);
  return of === 'day' ? day : monthOf(day);
}

/** Whether owners have had this notice, or are being told, or have been told of more. */
const isKnown = (told: Told | undefined, level: Level): boolean =>
  told?.[level] !== undefined || told?.reached !== undefined;

/** Tells the owners when everybody together has used most of `SERVICE_DAILY_CREDITS` or `SERVICE_MONTHLY_CREDITS`, and when a job was refused for it. */
export function createCeilingNotices(
  records: Pick<Records, 'get' | 'update'>,
  limits: Readonly<Partial<Record<Period, number | undefined>>>,
  parts: { readonly tell: CeilingNotice; readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
) {
  const { clock, log } = parts;
  /** The latest record of each, which spares the store a question for every job. */
  const known = new Map<Period, { readonly key: string; readonly told: Told }>();

  /** Stores that a notice is sent from now on. Undefined: another process has begun, or nothing is left to be told. */
  const begin = async (
    of: Period,
    key: string,
    level: Level,
    next: (told: Told | undefined) => Telling | undefined,
  ): Promise<Telling | undefined> => {
    let begun: Telling | undefined;
    const stored = await records.update<Told>(
      key,
      (told) => {
        begun = next(told);
        return begun && { ...told, [level]: begun };
      },
      CEILINGS[of].keptMs,
    );
    known.set(of, { key, told: stored ?? {} });
    return begun;
  };
  /** Sends a notice that was begun. If this process dies before the end, another try is made. */
  const send = async (of: Period, key: string, level: Level, telling: Telling): Promise<void> => {
    const { since, tries, used, most } = telling;
    const isTold = await parts.tell(CEILINGS[of][level], { of, used, most });
    if (!isTold && tries < MOST_TRIES) return;
    await records.update<Told>(
      key,
      (told) => {
        const now = told?.[level];
        return typeof now === 'object' && now.since === since ? { ...told, [level]: true } : undefined;
      },
      CEILINGS[of].keptMs,
    );
  };
  const tell = async (level: Level, key: string, { of, used, most }: Ceiling): Promise<void> => {
    const latest = known.get(of);
    if (latest?.key === key && isKnown(latest.told, level)) return;
    // Stored before it is sent, so that it is sent once by all processes together.
    const begun = await begin(of, key, level, (told) =>
      isKnown(told, level) ? undefined : { since: clock.now(), tries: 1, used, most },
    );
    if (begun !== undefined) await send(of, key, level, begun);
  };
  /** `key`: the day or the month, which by now, or by the clock of another process, may be over. */
  const note = (level: Level, key: string, ceiling: Ceiling): void =>
    void tell(level, key, ceiling).catch((error: unknown) =>
      log.warn({ err: error }, 'a notice could not be stored'),
    );

  const isLate = (told: Told[Level] | undefined): told is Telling =>
    typeof told === 'object' && Math.abs(clock.now() - told.since) >= SENT_WITHIN_MS;
  /** What is left of a notice. Whoever has been told that a ceiling is reached need not hear that it is near. */
  const leftOf = (told: Told | undefined, level: Level): Telling | undefined => {
    const left = told?.[level];
    const isOutdated = level === 'near' && told?.reached !== undefined;
    return isLate(left) && !isOutdated ? left : undefined;
  };
  /** Sends again what a process that died, or a platform that was down, has left. */
  const sendWhatIsLeft = async (): Promise<void> => {
    for (const of of PERIODS) {
      if (limits[of] === undefined) continue;
      // What was left at the end of a day or month is sent in the next one.
      const keys = new Set([keyAt(of, clock.now()), keyAt(of, clock.now() - LEFT_FOR_MS)]);
      for (const key of keys) {
        const found = await records.get<Told>(key);
        for (const level of LEVELS) {
          if (leftOf(found, level) === undefined) continue;
          const begun = await begin(of, key, level, (told) => {
            const left = leftOf(told, level);
            return left && { ...left, since: clock.now(), tries: left.tries + 1 };
          });
          if (begun !== undefined) await send(of, key, level, begun);
        }
      }
    }
  };
  const repeat = createRepeat(clock, MINUTE_MS, () =>
    sendWhatIsLeft().catch((error: unknown) =>
      log.warn({ err: error }, 'notices about ceilings could not be looked up; this is tried again'),
    ),
  );

  return {
    /** Sends again what was begun and not sent. The returned function stops it. */
    start(): () => Promise<void> {
      repeat.start();
      return repeat.stop;
    },
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
      if (!(error instanceof OrderRefused) || error.reason.code !== 'ceiling') return;
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
