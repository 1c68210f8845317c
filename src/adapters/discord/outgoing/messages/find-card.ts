import { MessageFlags } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../../base/clock.ts';
import type { CardRef } from '../../../../command/place.ts';
import { cardRef, liveToken, readCard, webhookMessageRoute } from '../../api/card-ref.ts';
import { isRefusal } from '../../api/fault.ts';
import { pressablesIn } from '../../api/message-parts.ts';
import type { Requests } from '../../api/requests.ts';
import { GONE, TOKEN_EXPIRED } from './outcome.ts';

const answered = z.object({
  id: z.string(),
  flags: z.number().optional(),
  components: z.unknown().optional(),
});

/**
 * Finds the answer to an interaction whose message id is unknown. It is the job's card if its buttons name the job, or if
 * it still shows "thinking…".
 */
export function createFind(requests: Requests, clock: Clock) {
  return async (answer: CardRef, job: string): Promise<CardRef | undefined> => {
    const card = readCard(answer);
    const token = liveToken(card, clock.now());
    if (token === undefined) return undefined;
    try {
      const found = await requests.withToken({
        doing: 'look for a card',
        method: 'GET',
        route: webhookMessageRoute(card.app, token),
      });
      const { id, flags = 0, components } = answered.parse(found);
      const isDeferred = (flags & MessageFlags.Loading) !== 0;
      if (!isDeferred && !pressablesIn(components).some(({ id }) => id.split(':').includes(job)))
        return undefined;
      return cardRef({ ...card, message: id, ephemeral: (flags & MessageFlags.Ephemeral) !== 0 });
    } catch (error) {
      if (isRefusal(error, ...GONE, ...TOKEN_EXPIRED)) return undefined;
      throw error;
    }
  };
}
