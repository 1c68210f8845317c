import { type APIInteraction, type InteractionResponseType, Routes } from 'discord.js';
import type { Requests } from '../../api/requests.ts';

const WITHIN_MS = 2_500;

/** For answers that need no message id: a lost one is ignored. */
export async function respond(
  requests: Requests,
  { id, token }: APIInteraction,
  type: InteractionResponseType,
  data: object,
): Promise<void> {
  await requests
    .withToken({
      doing: 'answer an interaction',
      method: 'POST',
      route: Routes.interactionCallback(id, token),
      body: { type, data },
      timeoutMs: WITHIN_MS,
      totalTimeoutMs: WITHIN_MS,
    })
    .catch(() => undefined);
}
