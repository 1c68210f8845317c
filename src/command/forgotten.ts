import { machineTime } from '../base/clock.ts';
import type { Words } from '../words/words.ts';
import type { Incoming } from './desk.ts';
import { UserError } from './errors.ts';

/** The refusal that the sender of a forgotten event reads. */
export const forgottenError = ({ notes }: Words): UserError => new UserError(notes.deleted, 'limit');

/** Refuses an event whose sender has deleted their data since: they have taken it back, so it makes and stores nothing. */
export function refuseForgotten({ forgotten }: Pick<Incoming, 'forgotten'>, words: Words): void {
  if (forgotten?.aborted) throw forgottenError(words);
}

/** For how long this event has been handled. A duration, because the clocks of two processes differ. */
export const handledForMs = ({ begunAt }: Pick<Incoming, 'begunAt'>): number =>
  begunAt === undefined ? 0 : machineTime.passed() - begunAt;

/** Whether the caller has deleted their data since this event began, through any process. */
export type ErasedMeanwhile = (
  incoming: Pick<Incoming, 'caller' | 'forgotten' | 'begunAt'>,
) => Promise<boolean>;
