import type { ButtonAccess } from '../../command.ts';
import { type Caller, isChannelSpeaker, isPersonal, type Place, personKey } from '../../place.ts';
import type { JobSummary } from '../../ports.ts';

/** Whether everybody in this place may see the job: it was requested here and is not private. */
export function isOpenIn(job: Pick<JobSummary, 'private' | 'community' | 'channel'>, place: Place): boolean {
  if (job.private) return false;
  if (place.direct) return true;
  const sameChannel = job.channel === place.channel;
  return job.community === place.community && (sameChannel || !isPersonal(place.community));
}

/**
 * Checks a press on a job's button against the record, the presser and the place. A job of another community is
 * `not-found`, so that a presser does not learn what exists elsewhere.
 */
export async function judgePress(
  access: ButtonAccess,
  job: JobSummary | undefined,
  caller: Caller,
  place: Place,
  isModerator: () => Promise<boolean>,
): Promise<'allowed' | 'not-found' | 'not-yours'> {
  if (job === undefined) return 'not-found';
  const own = job.owner === personKey(caller);
  const here = job.community === place.community;
  if (!own && !here) return 'not-found';
  switch (access) {
    case 'everyone':
      return 'allowed';
    case 'owner':
      return own || isChannelSpeaker(job.owner) ? 'allowed' : 'not-yours';
    case 'owner-or-moderator':
      return own || (await isModerator()) ? 'allowed' : 'not-yours';
  }
}
