import { MessageFlags } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { CardRef } from '../../../command/place.ts';
import { cardRef, liveToken, ORIGINAL, readCard, withTokenRoute } from '../api/card-ref.ts';
import { isProblem } from '../api/fault.ts';
import type { Requests } from '../api/requests.ts';
import { gone, tokenOver } from './outcome.ts';

const answered = z.object({
  id: z.string(),
  flags: z.number().optional(),
  components: z.unknown().optional(),
});

/**
 * An interaction's token still finds the answer when nobody knows its id. It is the job's card when its buttons name
 * the job, or when it is the "thinking…" that was to become the card.
 */
export const createFind =
  (requests: Requests, clock: Clock) =>
  async (answer: CardRef, job: string): Promise<CardRef | undefined> => {
    const card = readCard(answer);
    const token = liveToken(card, clock.now());
    if (token === undefined) return undefined;
    try {
      const found = await requests.withToken({
        doing: 'look for a card',
        method: 'GET',
        route: withTokenRoute(card.app, token, ORIGINAL),
        repeatable: true,
      });
      const { id, flags = 0, components } = answered.parse(found);
      const isThought = (flags & MessageFlags.Loading) !== 0;
      if (!isThought && !JSON.stringify(components ?? '').includes(job)) return undefined;
      return cardRef({ ...card, message: id, ephemeral: (flags & MessageFlags.Ephemeral) !== 0 });
    } catch (error) {
      if (isProblem(error, ...gone, ...tokenOver)) return undefined;
      throw error;
    }
  };
