import { defined } from '../../base/defined.ts';
import type { Desk } from '../../command/desk.ts';
import { personKey } from '../../command/place.ts';
import { note, type Reply, type ResultReply } from '../../command/reply.ts';
import { hasEnded, type Job } from '../../orchestrator/job/job.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { ResultMessages } from '../../safety/removal/result-messages.ts';
import type { Words } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { Removals } from './removals.ts';
import type { TakeBack } from './take-back.ts';

/** Whether anybody may still see the result. */
const isThere = (job: Job | undefined): job is Job =>
  job !== undefined && !job.withdrawn && !job.forget && (!hasEnded(job) || job.state === 'done');

/** Knows every message that shows a result beside the card of its job, from before it is visible until the result is removed. */
export function createShownResults(parts: {
  readonly resultMessages: ResultMessages;
  readonly orchestrator: Pick<Orchestrator, 'get'>;
  readonly platforms: Pick<PlatformRegistry, 'of'>;
  readonly removals: Pick<Removals, 'alsoDelete'>;
  readonly takeBack: Pick<TakeBack, 'messages'>;
}) {
  const { resultMessages, orchestrator, platforms, removals, takeBack } = parts;
  return {
    /** Notes that a message with the result is sent; returns the reply that is shown then. */
    async resultShows(reply: ResultReply, words: Words): Promise<Reply> {
      const job = await orchestrator.get(reply.job);
      if (!isThere(job) || reply.asked === undefined) return note(words.press.notFound);
      const hasRoom = await resultMessages.begin(job.id, personKey(job.caller), reply.asked.event);
      return hasRoom ? reply : note(words.press.shownOften);
    },
    /** Notes where it is. The result may have been removed, or its job deleted, while it was sent: then it is deleted there, too. */
    async resultShown({ job: id, asked }: ResultReply, card): Promise<void> {
      // Only a message that was noted shows a result.
      if (asked === undefined) return;
      const link = card && platforms.of(card.platform)?.link?.(card, asked.place);
      const message = card && { card, ...defined({ link }) };
      const job = await orchestrator.get(id);
      if (isThere(job)) await resultMessages.shown(id, personKey(job.caller), asked.event, message);
      // A removal may have begun before this was noted.
      if (card === undefined || isThere(await orchestrator.get(id))) return;
      if ((await removals.alsoDelete(id, card)) === undefined) await takeBack.messages(id, [card]);
    },
  } satisfies { resultShown: Desk['resultShown'] } & Record<string, unknown>;
}
