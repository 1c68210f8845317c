import { CONSENT_VERSION } from '../../../words/consent-version.ts';
import type { Words } from '../../../words/words.ts';
import { actionIn, type ButtonAccess, type DeskContext } from '../../command.ts';
import type { CommunityGate } from '../../community-gate.ts';
import { refusalText } from '../../gate-refusal.ts';
import type { JobSummary } from '../../jobs-port.ts';
import type { Options } from '../../option.ts';
import { type Caller, isChannelSpeaker, isPersonal, type Place, personKey } from '../../place.ts';
import { type Reply, refusal } from '../../reply.ts';
import type { PendingCommand } from '../parts/dependencies.ts';
import { type DeskWithRefusals, isOpenToUnapproved } from '../parts/turn-away.ts';

/** The reply to a person who may not use the command; undefined: they may. A draft of something that is open to blocked people continues. */
export async function refusalOfPerson(
  { blockedReply, unapprovedReply }: DeskWithRefusals,
  { command, subcommand, incoming, draft }: PendingCommand,
  { ports, words }: Pick<DeskContext, 'ports' | 'words'>,
): Promise<Reply | undefined> {
  const turnedAway = isOpenToUnapproved(command, subcommand) ? undefined : await unapprovedReply(incoming);
  if (turnedAway !== undefined) return turnedAway;
  if (command.access === 'moderator') {
    if (await ports.isModerator()) return undefined;
    return (await blockedReply(incoming)) ?? refusal(words.gate.moderatorsOnly);
  }
  if (!actionIn(command, subcommand)?.openToBlocked) return blockedReply(incoming);
  return draft === undefined ? blockedReply(incoming, `${command.name} ${subcommand ?? ''}`) : undefined;
}

/** The reply to a command that the rules of the community do not allow now; undefined: they do. Only commands that make something are refused. */
export async function refusalOfRequest(
  { command, incoming: { caller, place }, given }: PendingCommand,
  options: Options,
  gate: CommunityGate,
  words: Words,
): Promise<Reply | undefined> {
  if (!command.generates) return undefined;
  const texts = Object.entries(options).flatMap(([name, { kind }]) =>
    kind === 'text' && given[name] !== undefined ? [String(given[name])] : [],
  );
  const refused = await gate.refusal(caller, place, texts);
  return refused && refusal(...refusalText(refused, words));
}

/** Asks each person once for consent to each wording, after all other checks; `draft` continues afterwards. */
export function consentQuestion(draft: string, { consent }: Words): Reply {
  return {
    kind: 'message',
    audience: 'caller-in-place',
    view: {
      tone: 'ask',
      title: consent.title,
      lines: [consent.people, consent.age, consent.sent],
      buttons: [[{ action: `consent:${draft}:${CONSENT_VERSION}`, label: consent.button, style: 'primary' }]],
    },
  };
}

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
