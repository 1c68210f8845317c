import type { Members } from '../base/members/members.ts';
import { type ErasedMeanwhile, handledForMs } from '../command/forgotten.ts';
import { personKey } from '../command/place.ts';
import type { ErasureRecords } from '../orchestrator/job/records.ts';

/** A deletion of this process aborts `forgotten`; one of another process is known to the store that they share. */
export const createErasedMeanwhile =
  (erasures: Pick<ErasureRecords, 'began'>, members: Pick<Members, 'isShared'>): ErasedMeanwhile =>
  async (incoming) =>
    incoming.forgotten?.aborted === true ||
    (members.isShared && (await erasures.began(personKey(incoming.caller), handledForMs(incoming))));
