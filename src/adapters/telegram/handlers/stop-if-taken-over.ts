import type { Members } from '../../../base/members/members.ts';
import { Stopped } from '../incoming/update-inbox.ts';
import type { BotContext } from './context.ts';

/**
 * Makes a check that throws `Stopped` if another process may handle the updates by now, because this one was taken for dead.
 */
export const createStopIfTakenOver =
  (members: Pick<Members, 'id' | 'isAlive'>) => (items: readonly Pick<BotContext, 'claim'>[]) => (): void => {
    const isLost = items.some(({ claim }) => claim.member !== members.id());
    if (isLost || !members.isAlive()) throw new Stopped();
  };
