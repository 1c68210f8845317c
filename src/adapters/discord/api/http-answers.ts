import { type APIInteraction, InteractionResponseType, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import { type Clock, sleep } from '../../../base/clock.ts';
import { webhookMessageRoute } from './card-ref.ts';
import { isRefusal } from './fault.ts';
import type { Send } from './requests.ts';

/** Discord has not read the response yet: seen for up to ten seconds (discord-api-docs#7220). */
const UNREAD_RESPONSE = [RESTJSONErrorCodes.UnknownWebhook, RESTJSONErrorCodes.UnknownMessage] as const;
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/** These answers have a message that Discord can be asked for. */
const WITH_MESSAGE: readonly unknown[] = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
  InteractionResponseType.DeferredMessageUpdate,
  InteractionResponseType.UpdateMessage,
];

const message = z.object({ id: z.string() });

/** `elsewhere`: it is sent as a request of its own. */
type HttpAnswer = { readonly body: unknown } | 'elsewhere';

/**
 * The first answer to an interaction that came by HTTP is its response. Here a request for that answer becomes the
 * response, and is answered as Discord answers the request; all other requests are sent.
 */
export function createHttpAnswers(send: Send, clock: Clock) {
  /** By the route that would answer the interaction. */
  const open = new Map<string, { interaction: APIInteraction; answer: (answer: HttpAnswer) => void }>();

  /** Discord does not say whether it took a response, so it is asked for the message. */
  const confirm = async ({ application_id: app, token }: APIInteraction): Promise<unknown> => {
    const route = webhookMessageRoute(app, token);
    for (let attempt = 0; ; attempt += 1) {
      await sleep(clock, PAUSES_MS[attempt] ?? 0);
      try {
        const answer = await send('look for an answer', 'GET', route);
        return { interaction: { response_message_id: message.parse(answer).id } };
      } catch (error) {
        if (!isRefusal(error, ...UNREAD_RESPONSE) || attempt + 1 >= PAUSES_MS.length) throw error;
      }
    }
  };

  const withToken: Send = async (doing, method, route, options = {}) => {
    const { body, files = [], query } = options;
    const waiting = open.get(route);
    open.delete(route);
    // Discord refuses files in a response, but takes them in a request after status 202.
    if (files.length > 0) waiting?.answer('elsewhere');
    if (waiting === undefined || files.length > 0) return send(doing, method, route, options);
    waiting.answer({ body });
    const { type } = z.object({ type: z.number() }).parse(body);
    const isAwaited = query?.get('with_response') === 'true' && WITH_MESSAGE.includes(type);
    return isAwaited ? confirm(waiting.interaction) : undefined;
  };

  return {
    withToken,
    /** The response to this interaction waits for its first answer. */
    hold(interaction: APIInteraction) {
      const route = Routes.interactionCallback(interaction.id, interaction.token);
      const { promise: answered, resolve: answer } = Promise.withResolvers<HttpAnswer>();
      open.set(route, { interaction, answer });
      return { answered, drop: () => void open.delete(route) };
    },
  };
}

export type HttpAnswers = ReturnType<typeof createHttpAnswers>;
