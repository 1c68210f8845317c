import type { Words } from '../words/words.ts';
import type { Incoming } from './desk.ts';
import { UserError } from './errors.ts';

/** Who has deleted their data has taken back what they sent before: it makes and stores nothing any more. */
export function refuseForgotten({ forgotten }: Pick<Incoming, 'forgotten'>, { notes }: Words): void {
  if (forgotten?.aborted) throw new UserError(notes.deleted, 'limit');
}
