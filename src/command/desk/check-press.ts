import type { ButtonAccess } from '../command.ts';
import { type Caller, isChannelSpeaker, type Place, personKey } from '../place.ts';
import type { JobSummary } from '../ports.ts';

/** A person's own community: in their direct chat, and in every server that did not ask for us. */
const isPersonal = (community: string): boolean => /^[a-z]+:dm:/.test(community);

/** Whether whoever is in this place may see the job: it was asked for among them, and not in private. */
export const isOpenIn = (
  job: Pick<JobSummary, 'private' | 'community' | 'channel'>,
  place: Place,
): boolean => {
  if (job.private) return false;
  if (place.direct) return true;
  const sameChannel = job.channel === place.channel;
  return job.community === place.community && (sameChannel || !isPersonal(place.community));
};

/**
 * The one place where a press on a job's button is judged: by the record, the presser and the place of the press.
 * Another community's job is `not-found`, so that nobody learns what exists elsewhere.
 */
export const judgePress = async (
  access: ButtonAccess,
  job: JobSummary | undefined,
  caller: Caller,
  place: Place,
  isModerator: () => Promise<boolean>,
): Promise<'allowed' | 'not-found' | 'not-yours'> => {
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
    case 'moderator':
      return here && (await isModerator()) ? 'allowed' : 'not-yours';
  }
};

/** The same for what is left in the chat of a job whose record has gone: whose it was, nobody knows any more. */
export const judgeGone = async (place: Place, isModerator: () => Promise<boolean>): Promise<boolean> =>
  place.direct || isModerator();
