import { type APIInteraction, type InteractionResponseType, Routes } from 'discord.js';
import type { Requests } from '../api/requests.ts';

const withinMs = 2_500;

/** For answers that need no message id: a lost one is ignored. */
export const respond = async (
  requests: Requests,
  { id, token }: APIInteraction,
  type: InteractionResponseType,
  data: object,
): Promise<void> => {
  await requests
    .withToken({
      doing: 'answer an interaction',
      method: 'POST',
      route: Routes.interactionCallback(id, token),
      body: { type, data },
      timeoutMs: withinMs,
      totalTimeoutMs: withinMs,
    })
    .catch(() => undefined);
};
