import type { Members } from '../../base/members/members.ts';
import type { Incoming } from '../../command/desk.ts';
import { type ErasedMeanwhile, handledForMs } from '../../command/forgotten.ts';
import { personKey } from '../../command/place.ts';
import type { ErasureRecords } from '../../orchestrator/job/records.ts';

/**
 * How long an event has been handled, for the question to the store whether its caller's data was deleted meanwhile. Undefined where
 * no other process shares the store: the one that deletes is this one, and aborts `forgotten`.
 */
export const handledForMsIfShared = (
  { isShared }: Pick<Members, 'isShared'>,
  incoming: Pick<Incoming, 'begunAt'>,
): number | undefined => (isShared ? handledForMs(incoming) : undefined);

/** Asks this process, then the store if others share it, whether the caller has deleted their data since the event began. */
export const createErasedMeanwhile =
  (erasures: Pick<ErasureRecords, 'began'>, members: Pick<Members, 'isShared'>): ErasedMeanwhile =>
  async (incoming) => {
    if (incoming.forgotten?.aborted) return true;
    const ms = handledForMsIfShared(members, incoming);
    return ms !== undefined && erasures.began(personKey(incoming.caller), ms);
  };
