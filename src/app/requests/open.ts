import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { Log } from '../../log/log.ts';
import { createRequestRecords, requestRecordRules } from '../../safety/requests/request-records.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Communities } from '../community/open.ts';
import type { openJobs } from '../jobs/open.ts';
import type { Notices } from '../notices/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import { createRequestNotices } from './request-notices.ts';
import { createRequests } from './requests.ts';

/** Takes its turns at the decoder like one person. */
const TURN = 'removal-page';

/** Requests for removal by people outside the chat. */
export function openRequests(parts: {
  readonly store: Pick<Store, 'keyv'>;
  readonly members: Pick<Members, 'hold'>;
  readonly platforms: PlatformRegistry;
  readonly notices: Pick<Notices, 'audit' | 'owners'>;
  readonly communities: Pick<Communities, 'moderators'>;
  readonly jobs: Pick<ReturnType<typeof openJobs>, 'findResult' | 'fingerprint' | 'nearResults' | 'removals'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { store, notices, jobs, clock } = parts;
  const records = createRequestRecords(store.keyv('removal-requests', requestRecordRules), clock.now);
  const requests = createRequests({
    records,
    readLink: parts.platforms.readLink,
    findByLink: (link) => jobs.findResult(link, undefined),
    nearResults: jobs.nearResults.all,
    async removeResult(job, reason, caller) {
      const removed = await jobs.removals.remove(job, reason, { caller, isOwner: true, isRequested: true });
      return typeof removed === 'object';
    },
    moderators: parts.communities.moderators,
    audit: notices.audit,
    ownerWords: notices.owners.words,
    clock,
  });
  const requestNotices = createRequestNotices({ ...parts, records, owners: notices.owners });

  return {
    ...requests,
    /** The fingerprints of a picture that somebody sent; undefined if it is none that can be read. */
    fingerprint: (picture: Uint8Array, signal: AbortSignal) => jobs.fingerprint(picture, TURN, signal),
    /** Tells owners of requests. They are written to, so the platforms are connected before. */
    startNotices(): void {
      parts.opened.defer(requestNotices.start());
    },
  };
}
