import { setImmediate } from 'node:timers/promises';
import { type Job, messagesOf } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { communitiesIn, isMessageLink, leadsToMessage } from '../../safety/removal/message-link.ts';
import type { ResultMessages } from '../../safety/removal/result-messages.ts';
import type { JobMark, JobSearch } from '../../store/tables/job-search.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

const PER_PAGE = 100;
/** The latest jobs that are compared with a link; of older ones the number has to be given. */
const MOST_PAGES = 300;

export type FindResult = ReturnType<typeof createFindResult>;

/** Finds the job that a person names by its number, or by a link to any message that shows its result. */
export function createFindResult(parts: {
  readonly orchestrator: Pick<Orchestrator, 'get'>;
  readonly jobSearch: JobSearch;
  readonly platforms: Pick<PlatformRegistry, 'of'>;
  readonly resultMessages: Pick<ResultMessages, 'findJobs'>;
}) {
  const { orchestrator, jobSearch, platforms, resultMessages } = parts;

  const isShownAt = (job: Job, link: string): boolean =>
    messagesOf(job).some((card) => {
      const known = platforms.of(card.platform)?.link?.(card, job.place);
      return known !== undefined && leadsToMessage(link, known);
    });

  /** The card of a job, or what was shared. `community`: only there; undefined: everywhere. */
  const findByCard = async (link: string, community: string | undefined): Promise<Job | undefined> => {
    let after: JobMark | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = community === undefined ? {} : { community };
      const { jobs, next } = await jobSearch.find(query, PER_PAGE, after);
      const found = jobs.find((job) => isShownAt(job, link));
      if (found !== undefined || next === undefined) return found;
      after = next;
      // Other work comes in between the pages.
      await setImmediate();
    }
    return undefined;
  };

  /** A message beside the card, such as a comparison. */
  const findByMessage = async (
    link: string,
    communities: readonly string[] | undefined,
  ): Promise<Job | undefined> => {
    const fitting = resultMessages.findJobs(
      ({ link: known }) => known !== undefined && leadsToMessage(link, known),
    );
    for await (const id of fitting) {
      const job = await orchestrator.get(id);
      // A link that does not name its chat fits messages of other communities as well.
      if (job !== undefined && (communities?.includes(job.place.community) ?? true)) return job;
    }
    return undefined;
  };

  /** `communities`: only jobs of these; undefined: of all. */
  return async (result: string, communities: readonly string[] | undefined): Promise<Job | undefined> => {
    if (!isMessageLink(result)) return orchestrator.get(result);
    // Most results are in the chat where they were asked for. Its jobs are found by an index; all others are looked through after it.
    for (const community of communities ?? [...communitiesIn(result), undefined]) {
      const found = await findByCard(result, community);
      if (found !== undefined) return found;
    }
    return findByMessage(result, communities);
  };
}
