import { machineTime } from '../base/clock.ts';
import type { Words } from '../words/words.ts';
import type { Incoming } from './desk.ts';
import { UserError } from './errors.ts';

/** What the sender of a forgotten event is told. */
export const forgottenError = ({ notes }: Words): UserError => new UserError(notes.deleted, 'limit');

/** Who has deleted their data has taken back what they sent before: it makes and stores nothing any more. */
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
