import { type Clock, MINUTE_MS, waitAtMost } from '../../base/clock.ts';
import type { CardRef } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import type { MessageDeletions } from '../../safety/removal/message-deletions.ts';
import type { ResultMessages } from '../../safety/removal/result-messages.ts';
import type { DeleteMessages } from './delete-messages.ts';

/** Until then the process that began does it. */
const LEASE_MS = 5 * MINUTE_MS;
/** For about a day. */
const MOST_TRIES = 50;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

/** A person's answer waits this long for it; the rest is done meanwhile. */
const LONGEST_WAIT_MS = 2_000;

export type TakeBack = ReturnType<typeof createTakeBack>;

/**
 * Deletes messages that show a result which nobody is to see any more: what was shown again of a job that its person deleted, and what
 * moderators looked at before they decided. What is to be deleted is stored first, so that any process goes on after a kill.
 */
export function createTakeBack(parts: {
  readonly resultMessages: Pick<ResultMessages, 'of' | 'forget'>;
  readonly deletions: MessageDeletions;
  readonly deleteMessages: DeleteMessages;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}) {
  const { resultMessages, deletions, deleteMessages, clock, log } = parts;
  const tryOnce = async (job: string, cards: readonly CardRef[], tries: number): Promise<void> => {
    const { left } = await deleteMessages(cards);
    const pauseMs = Math.min(LONGEST_PAUSE_MS, (tries + 1) * MINUTE_MS);
    await deletions.tried(job, cards, left, tries + 1 < MOST_TRIES ? clock.now() + pauseMs : undefined);
  };
  /** Deletes these messages; a long deletion goes on in the background. */
  const messages = async (job: string, cards: readonly CardRef[]): Promise<void> => {
    if (cards.length === 0) return;
    await deletions.add(job, cards, clock.now() + LEASE_MS);
    const tried = tryOnce(job, cards, 0).catch((error: unknown) =>
      log.warn({ err: error }, 'messages with a result could not be deleted; it is tried again'),
    );
    await waitAtMost(clock, LONGEST_WAIT_MS, tried);
  };
  const begin = async (job: string): Promise<readonly CardRef[]> => {
    const all = (await resultMessages.of(job)).messages.map(({ card }) => card);
    if (all.length === 0) return [];
    await deletions.add(job, all, clock.now() + LEASE_MS);
    await resultMessages.forget(job);
    return all;
  };
  return {
    messages,
    /**
     * Stores that every message with the result beside the job's card is deleted, and returns them. It is done some minutes later, by any
     * process, unless whoever calls this does it before (`messages`).
     */
    begin,
    /** Deletes every message with the result beside the job's card, from then on even if this process dies. */
    ofJob: async (job: string): Promise<void> => messages(job, await begin(job)),
    /** Goes on with what is due. */
    async goOn(until: AbortSignal): Promise<void> {
      for (const { job, messages: due, tries } of await deletions.due())
        if (!until.aborted) await tryOnce(job, due, tries);
    },
  };
}
