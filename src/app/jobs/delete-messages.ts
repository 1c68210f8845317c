import { type Clock, withTimeout } from '../../base/clock.ts';
import type { CardRef } from '../../command/place.ts';
import type { Log } from '../../log/log.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

const DELETE_MS = 60_000;

/** What became of messages that were to be deleted. */
export interface DeletedMessages {
  /** They could not be deleted now, which may help to try again. */
  readonly left: readonly CardRef[];
  /** They were too old to be deleted, and show only words. */
  readonly blanked: readonly CardRef[];
  /** They may still be seen, and the bot will never get at them again. */
  readonly unreachable: readonly CardRef[];
}

export type DeleteMessages = ReturnType<typeof createDeleteMessages>;

/** Deletes messages one after the other, as far as that is possible now. Never rejects. */
export function createDeleteMessages(parts: {
  readonly platforms: Pick<PlatformRegistry, 'removeMessage'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}) {
  const { platforms, clock, log } = parts;
  return async (cards: readonly CardRef[]): Promise<DeletedMessages> => {
    const left: CardRef[] = [];
    const blanked: CardRef[] = [];
    const unreachable: CardRef[] = [];
    for (const card of cards) {
      const removed = await withTimeout(clock, DELETE_MS, () => platforms.removeMessage(card)).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'a message with a result could not be deleted; it is tried again');
          return undefined;
        },
      );
      if (removed === undefined) left.push(card);
      if (removed === 'blanked') blanked.push(card);
      if (removed === 'unreachable') unreachable.push(card);
    }
    return { left, blanked, unreachable };
  };
}
