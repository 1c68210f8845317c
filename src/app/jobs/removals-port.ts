import type { Clock } from '../../base/clock.ts';
import type { Incoming } from '../../command/desk.ts';
import { personKey } from '../../command/place.ts';
import type { RemovalOutcome, RemovalsPort } from '../../command/removals-port.ts';
import { photosOf } from '../../command/request.ts';
import { refuse } from '../../community/community-error.ts';
import { type Audit, createAuditedChange } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Moderators, Permission } from '../../community/rules/moderators.ts';
import { type DoneJob, type Job, messagesOf } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { isMessageLink, isSameMessage, namesChat } from '../../safety/removal/message-link.ts';
import {
  isOpen,
  type OpenRemoval,
  REMOVAL_LIFE_MS,
  type Removal,
  type RemovalRecords,
} from '../../safety/removal/removal-records.ts';
import type { JobMark, JobSearch } from '../../store/tables/job-search.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import { REMOVAL_LEASE_MS, type Removals } from './removals.ts';

const PER_PAGE = 100;
/** The latest jobs that are compared with a link; of older ones the number has to be given. */
const MOST_PAGES = 300;

const outcomeOf = (removal: Removal, isKnown: boolean): RemovalOutcome => ({
  messages: removal.messages,
  remaining: removal.remaining,
  photos: removal.photos,
  blocked: removal.blocked,
  isKnown,
});

/** Moderators remove results of their own community, owners those of any. */
export function createRemovalsPort(parts: {
  readonly orchestrator: Pick<Orchestrator, 'get'>;
  readonly jobSearch: JobSearch;
  readonly platforms: Pick<PlatformRegistry, 'of'>;
  readonly rules: Pick<CommunityRules, 'idsOf' | 'present'>;
  readonly moderators: Pick<Moderators, 'isOwner'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly records: RemovalRecords;
  readonly removals: Pick<Removals, 'carryOut'>;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { orchestrator, jobSearch, platforms, rules, moderators, audit, records, removals, clock } = parts;

  const isShownAt = (job: Job, link: string): boolean =>
    messagesOf(job).some((card) => {
      const known = platforms.of(card.platform)?.link?.(card, job.place);
      return known !== undefined && isSameMessage(link, known);
    });

  /** `community`: only there; undefined: everywhere. */
  const findByLink = async (link: string, community: string | undefined): Promise<Job | undefined> => {
    let after: JobMark | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const query = { state: 'done', ...(community === undefined ? {} : { community }) } as const;
      const { jobs, next } = await jobSearch.find(query, PER_PAGE, after);
      const found = jobs.find((job) => isShownAt(job, link));
      if (found !== undefined || next === undefined) return found;
      after = next;
    }
    return undefined;
  };

  return (incoming: Incoming, permission: Permission): RemovalsPort => {
    const { caller, place } = incoming;
    const isOwner = moderators.isOwner(caller);
    const mayIn = async (community: string): Promise<boolean> =>
      isOwner || (await rules.present(community)) === place.community;

    const find = async (result: string): Promise<Job | undefined> => {
      if (!isMessageLink(result)) return orchestrator.get(result);
      if (isOwner && namesChat(result)) return findByLink(result, undefined);
      for (const id of await rules.idsOf(place.community)) {
        const found = await findByLink(result, id);
        if (found !== undefined) return found;
      }
      return undefined;
    };

    const removalOf = (job: DoneJob, community: string, reason: string): OpenRemoval => {
      const photos = photosOf(job.request);
      const messages = messagesOf(job);
      const at = clock.now();
      return {
        job: job.id,
        community,
        kind: job.request.kind,
        at,
        until: at + REMOVAL_LIFE_MS,
        by: { key: personKey(caller), name: caller.name, isOwner },
        reason,
        messages: messages.length,
        remaining: messages.length,
        photos: photos.length,
        open: {
          messages,
          photos: [...photos],
          hashes: [...(job.photoHashes ?? [])],
          tries: 0,
          due: at + REMOVAL_LEASE_MS,
        },
      };
    };

    return {
      async remove(named, reason) {
        await permission.demand();
        const result = named.trim();
        const job = await find(result);
        const former = await records.find(job?.id ?? result);
        // Begun before a crash, or by another moderator: it is the same removal.
        if (former !== undefined && (await mayIn(former.community)))
          return outcomeOf(isOpen(former) ? await removals.carryOut(former) : former, true);
        // What is in other communities is not even told of.
        if (job === undefined || job.forget || !(await mayIn(job.place.community)))
          return refuse({ code: 'result-unknown' });
        if (job.state !== 'done') return refuse({ code: 'result-none' });
        const community = await rules.present(job.place.community);
        const there = { ...incoming, place: { ...job.place, community } };
        const change = createAuditedChange(permission, audit, there);
        return change('moderator.remove', { job: job.id, reason }, async (begin) => {
          await begin();
          const removal = await records.add(removalOf(job, community, reason));
          return outcomeOf(isOpen(removal) ? await removals.carryOut(removal) : removal, false);
        });
      },
    };
  };
}
