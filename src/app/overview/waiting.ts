import type { WaitingList } from '../../command/overview-port.ts';
import type { View } from '../../command/view.ts';
import type { Approvals } from '../../community/approvals/approvals.ts';
import { drawApproval } from '../../community/approvals/approvals-port.ts';
import type { ReportRecords } from '../../community/rules/report-records.ts';
import type { HeldJob, Job } from '../../orchestrator/job/job.ts';
import { ANSWERED_WITHIN_MS } from '../../safety/requests/request-list.ts';
import type { RequestRecords } from '../../safety/requests/request-records.ts';
import type { JobMark, JobSearch } from '../../store/tables/job-search.ts';
import type { Words } from '../../words/words.ts';
import { heldNotice } from '../notices/held-notices.ts';
import { drawReport } from '../notices/reports.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import { drawRequest } from '../requests/draw-request.ts';

/** An entry of a list, as the notice about it shows it. */
type Entry = (words: Words) => View;

const HELD_AT_ONCE = 100;
/** Each page of a search reads some thousand unfinished jobs. */
const MOST_PAGES = 20;

const isHeld = (job: Job): job is HeldJob => job.state === 'held';

/** The lists of what waits for a decision, the entries that have waited longest first; no more than `most` of each. */
export function createWaiting(parts: {
  readonly approvals: Pick<Approvals, 'undecided'>;
  /** Whether communities need an approval (`COMMUNITIES=approved`). */
  readonly approvalNeeded: boolean;
  readonly reports: Pick<ReportRecords, 'open'>;
  readonly jobSearch: Pick<JobSearch, 'find'>;
  readonly requests: Pick<RequestRecords, 'all'>;
  readonly platforms: Pick<PlatformRegistry, 'of'>;
  readonly now: () => number;
}) {
  const { approvals, reports, jobSearch, requests, platforms, now } = parts;

  const heldJobs = async (most: number): Promise<readonly HeldJob[]> => {
    let longest: readonly HeldJob[] = [];
    let after: JobMark | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { jobs, next } = await jobSearch.find({ state: 'held' }, HELD_AT_ONCE, after);
      // A search begins with the newest, so those that have waited longest come last.
      longest = [...longest, ...jobs.filter(isHeld)].slice(-most);
      if (next === undefined) break;
      after = next;
    }
    return longest.toReversed();
  };

  const lists: Readonly<Record<WaitingList, (most: number) => Promise<readonly Entry[]>>> = {
    async approvals(most) {
      if (!parts.approvalNeeded) return [];
      const found = await approvals.undecided(most);
      return found.map(
        ({ community, approval }) =>
          (words) =>
            drawApproval(community, approval, words),
      );
    },
    async reports(most) {
      const found = await reports.open(most);
      return found.map(
        ({ id, report }) =>
          (words) =>
            drawReport(report, id, words),
      );
    },
    async held(most) {
      const found = await heldJobs(most);
      return found.map((job) => (words) => heldNotice(job, words, platforms));
    },
    async requests(most) {
      const { open } = await requests.all();
      return open.slice(0, most).map(
        ({ id, ...request }) =>
          (words) =>
            drawRequest(id, request, request.at + ANSWERED_WITHIN_MS - now(), words),
      );
    },
  };
  return (list: WaitingList, most: number): Promise<readonly Entry[]> => lists[list](most);
}
