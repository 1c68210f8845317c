import { canShare, drawCard, drawShared } from '../../cards/card.ts';
import type { CommunityGate } from '../../command/community-gate.ts';
import { wordRefusal } from '../../command/desk/access/check-access.ts';
import type { Incoming } from '../../command/desk.ts';
import { textsOf } from '../../command/kinds.ts';
import type { Place } from '../../command/place.ts';
import type { Reply } from '../../command/reply.ts';
import type { Media } from '../../command/view.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/settings.ts';
import type { DoneJob, Job } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { type Words, wordsFor } from '../../words/words.ts';
import type { Outgoing } from '../platforms/outgoing.ts';

export interface ShareParts {
  readonly orchestrator: Orchestrator;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  readonly gate: CommunityGate;
  readonly rules: CommunityRules;
}

/**
 * Shows a private result to everybody where it was asked for. That it begins is stored first: after a crash it is not sent
 * again, unless the platform makes that the same message.
 */
export async function shareResult(
  { orchestrator, outgoing, audit, gate, rules }: ShareParts,
  { caller, place: pressedIn }: Incoming,
  words: Words,
  job: Job,
  mediaOf: (job: DoneJob) => Promise<Media | 'away' | undefined>,
): Promise<Reply> {
  const note = (text: string): Reply => ({ kind: 'note', text });

  /** As for a new job there, but for the credits. */
  const refusal = async ({ request }: DoneJob, place: Place): Promise<string | undefined> => {
    const refused = await gate.refusal(caller, place, textsOf(request));
    if (refused !== undefined) return wordRefusal(refused, words)[0];
    const isHere = pressedIn.community === place.community;
    const isMember = isHere || ((await outgoing.adapter(place.platform)?.isMember?.(caller, place)) ?? false);
    return isMember ? undefined : words.share.notMember;
  };

  const send = async (job: DoneJob, place: Place, media: Media): Promise<Reply> => {
    const detail = { job: job.id };
    await audit.note(caller, place, 'job.share', detail).catch(async (error: unknown) => {
      await orchestrator.endSharing(job.id, undefined);
      throw error;
    });
    // For everybody there.
    const language = await rules.language(place.community).catch(() => undefined);
    const view = drawShared(job, wordsFor(language ?? job.caller.locale), media);
    const said = await outgoing.say({ place: job.place }, view, { caller: job.caller, job: job.id });
    if (said.state === 'drawn' && said.card !== undefined) {
      const { card } = said;
      if (await orchestrator.endSharing(job.id, card)) {
        const shown = drawCard({ ...job, shared: { at: job.finishedAt, card } }, {}, words, media);
        return { kind: 'replace', view: shown };
      }
      await outgoing.removeMessage(card);
      return note(words.press.notFound);
    }
    const isUnsent = said.state === 'gone' || (said.state === 'later' && said.unsent);
    if (!isUnsent) return note(words.share.unknown);
    await orchestrator.endSharing(job.id, undefined);
    await audit.note(caller, place, 'job.share.failed', detail);
    return note(said.state === 'gone' ? words.share.forbidden : words.share.later);
  };

  if (!canShare(job)) return note(words.press.noResult);
  const isBegun = job.shared !== undefined && job.shared.card === undefined;
  if (job.shared?.card !== undefined) return note(words.share.already);
  if (isBegun && !outgoing.adapter(job.place.platform)?.sharesOnce) return note(words.share.unknown);
  const place = await rules.presentPlace(job.place);
  const refused = await refusal(job, place);
  if (refused !== undefined) return note(refused);
  const media = await mediaOf(job);
  if (media === undefined) return note(words.press.noResult);
  if (media === 'away') return note(words.share.later);
  // Pressed twice, or deleted meanwhile.
  if (!isBegun && !(await orchestrator.beginSharing(job.id))) return note(words.share.unknown);
  return send(job, place, media);
}
