import { z } from 'zod';
import { isWithin } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { personKey, placeShape } from '../../command/place.ts';
import { REPORT_DECISIONS, type ReportDecision } from '../../command/reports-port.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';

/** The record of a reported result. The audit trail alone has the person who reported it. */
const record = z.object({
  job: z.string(),
  place: placeShape,
  /** When it was reported; those of earlier versions have no time. */
  at: z.number().exactOptional(),
  maker: z.object({ id: z.string(), name: z.string() }),
  /** The description of the result, as others may read it. */
  what: z.string(),
  link: z.string().exactOptional(),
  /** The message on which the result was reported. */
  message: z.object({ platform: z.enum(PLATFORMS), ref: z.string() }).exactOptional(),
  decided: z
    .object({
      what: z.enum(REPORT_DECISIONS),
      by: z.string(),
      at: z.number(),
      /** Whether the decision was carried out. */
      done: z.boolean(),
    })
    .exactOptional(),
});
/** A reported result, and the decision about it. */
export type Report = z.infer<typeof record>;

/**
 * Tells the store whose each report is (it is deleted with the data of the person who made the result), and whether it is
 * valid.
 */
export const reportRecordRules = {
  ownerOf(_: string, value: unknown): string | undefined {
    const report = record.safeParse(value).data;
    return report && personKey({ platform: report.place.platform, id: report.maker.id });
  },
  isValid: (_: string, value: unknown): boolean => record.safeParse(value).success,
};

/** The most reports of one result, from all people and processes. */
const MOST_OF_JOB = 5;
/** How long reports are kept: as long as records of jobs. */
const LIFE_MS = 30 * 24 * 3_600_000;
/** A decision that was not carried out after this time was interrupted, and can be made again. */
const LONGEST_DECISION_MS = 60_000;

export type ReportRecords = ReturnType<typeof createReportRecords>;

/** Keeps reports, and the decisions of moderators about them. */
export function createReportRecords(records: Records, now: () => number) {
  const read = (stored: unknown): Report | undefined => record.safeParse(stored).data;
  const update = (id: string, change: (stored: unknown) => unknown): Promise<unknown> =>
    records.update<unknown>(id, change, LIFE_MS);
  const isOpen = ({ decided }: Report): boolean =>
    decided === undefined || (!decided.done && !isWithin(LONGEST_DECISION_MS, decided.at, now()));

  return {
    /** Stores a report and returns its id; undefined if there are enough about this result. */
    async add(report: Report): Promise<string | undefined> {
      for (let number = 1; number <= MOST_OF_JOB; number += 1) {
        const id = `${report.job}-${number}`;
        let isMine = false;
        await update(id, (there) => {
          isMine = there === undefined;
          return isMine ? report : undefined;
        });
        if (isMine) return id;
      }
      return undefined;
    },
    remove: (id: string): Promise<unknown> => records.delete(id),
    /** Reports that nobody has decided about, those that have waited longest first, `most` at most. */
    async open(most: number): Promise<readonly { readonly id: string; readonly report: Report }[]> {
      let found: { readonly id: string; readonly report: Report }[] = [];
      const oldest = () => found.toSorted((a, b) => (a.report.at ?? 0) - (b.report.at ?? 0)).slice(0, most);
      for await (const [id, stored] of records.iterator()) {
        const report = read(stored);
        if (report === undefined || !isOpen(report)) continue;
        found.push({ id, report });
        if (found.length > 2 * most) found = oldest();
      }
      return oldest();
    },
    find: async (id: string): Promise<Report | undefined> => read(await records.get(id)),
    /**
     * Stores a decision. `isMine`: of all concurrent decisions, in any process, this one is to be carried out and must call
     * `end`.
     */
    async decide(
      id: string,
      what: ReportDecision,
      by: string,
    ): Promise<{ readonly report: Report; readonly isMine: boolean } | undefined> {
      let isMine = false;
      const stored = await update(id, (before) => {
        const report = read(before);
        isMine = report !== undefined && isOpen(report);
        return isMine ? { ...report, decided: { what, by, at: now(), done: false } } : undefined;
      });
      const report = read(stored);
      return report && { report, isMine };
    },
    /** Notes that a decision was carried out; if `done` is false it was not, and anybody may decide again. */
    async end(id: string, done: boolean): Promise<void> {
      await update(id, (before) => {
        const { decided, ...report } = read(before) ?? {};
        if (decided === undefined) return undefined;
        return done ? { ...report, decided: { ...decided, done } } : report;
      });
    },
  };
}
