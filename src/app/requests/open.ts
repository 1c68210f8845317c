import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { Log } from '../../log/log.ts';
import { cleanPhoto, PhotoRejected } from '../../media/photo.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { textOfHash } from '../../safety/hash/perceptual-hash.ts';
import {
  type AskedPicture,
  createRequestRecords,
  requestRecords,
} from '../../safety/requests/request-records.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Communities } from '../community/open.ts';
import { createNearResults } from '../jobs/near-results.ts';
import type { openJobs } from '../jobs/open.ts';
import type { Notices } from '../notices/open.ts';
import type { Photos } from '../photos/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import { createRequestNotices } from './request-notices.ts';
import { createRequests } from './requests.ts';

/** Large enough for the fingerprint, which is made of 64 by 64 pixels. */
const SIDE = 1_024;
/** Takes its turns at the decoder like one person. */
const TURN = 'removal-page';

/** Requests for removal by people outside the chat. */
export function openRequests(parts: {
  readonly store: Pick<Store, 'keyv' | 'jobSearch'>;
  readonly members: Pick<Members, 'hold'>;
  readonly platforms: PlatformRegistry;
  readonly decoder: Decoder;
  readonly notices: Pick<Notices, 'audit' | 'owners'>;
  readonly photos: Pick<Photos, 'hasher'>;
  readonly communities: Pick<Communities, 'moderators'>;
  readonly jobs: Pick<ReturnType<typeof openJobs>, 'findResult' | 'removals'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { store, decoder, photos, notices, jobs, clock } = parts;
  const records = createRequestRecords(store.keyv('removal-requests', requestRecords), clock.now);
  const requests = createRequests({
    records,
    findByLink: (link) => jobs.findResult(link, undefined),
    nearResults: createNearResults(store.jobSearch),
    async removeResult(job, reason, caller) {
      const removed = await jobs.removals.remove(job, reason, { caller, isOwner: true });
      return removed !== undefined && removed !== 'none';
    },
    moderators: parts.communities.moderators,
    audit: notices.audit,
    ownerWords: notices.owners.words,
    clock,
  });
  const requestNotices = createRequestNotices({ ...parts, records, owners: notices.owners });

  /** The fingerprints of a picture that somebody sent; undefined if it is none that can be read. */
  const fingerprint = async (picture: Uint8Array, signal: AbortSignal): Promise<AskedPicture | undefined> => {
    const file = createHash('sha256').update(picture).digest('base64url');
    try {
      const { bytes } = await cleanPhoto(picture, decoder, TURN, signal, { longestSide: SIDE });
      const { hash, mirrored, isFlat } = await photos.hasher.hashes(bytes, TURN, signal);
      return isFlat ? { file } : { file, hashes: [textOfHash(hash), textOfHash(mirrored)] };
    } catch (error) {
      if (error instanceof PhotoRejected) return undefined;
      throw error;
    }
  };

  return {
    ...requests,
    fingerprint,
    /** Tells owners of requests. They are written to, so the platforms are connected before. */
    startNotices(): void {
      parts.opened.defer(requestNotices.start());
    },
  };
}
