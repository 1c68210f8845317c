import {
  type APIInteraction,
  InteractionResponseType,
  type InternalRequest,
  RESTJSONErrorCodes,
  type RESTOptions,
  Routes,
} from 'discord.js';
import { z } from 'zod';
import { type Clock, sleep } from '../../../base/clock.ts';
import { BoundedRest, type Bounds } from './bounded-rest.ts';
import { isRefusal } from './fault.ts';

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
 * Requests with an interaction's token. The first answer to an interaction that came by HTTP is its response: here a request for
 * that answer becomes the response, and is answered as Discord answers the request; all other requests are sent.
 */
export class InteractionRest extends BoundedRest {
  readonly #clock: Clock;
  /** Interactions whose response is awaited, by the route that would answer them. */
  readonly #open = new Map<string, { interaction: APIInteraction; answer: (answer: HttpAnswer) => void }>();

  constructor(clock: Clock, options: Partial<RESTOptions>) {
    // Interaction endpoints do not count against 50 requests a second, and need no bot token.
    super(clock, { ...options, globalRequestsPerSecond: Number.MAX_SAFE_INTEGER });
    this.#clock = clock;
  }

  override async request(request: InternalRequest, bounds?: Bounds): Promise<unknown> {
    const { fullRoute, body, files = [], query } = request;
    const waiting = this.#open.get(fullRoute);
    this.#open.delete(fullRoute);
    // Discord refuses files in a response, but takes them in a request after status 202.
    if (files.length > 0) waiting?.answer('elsewhere');
    if (waiting === undefined || files.length > 0) return super.request(request, bounds);
    waiting.answer({ body });
    const { type } = z.object({ type: z.number() }).parse(body);
    const isAwaited = query?.get('with_response') === 'true' && WITH_MESSAGE.includes(type);
    return isAwaited ? this.#confirm(waiting.interaction) : undefined;
  }

  /** Discord does not say whether it took a response, so it is asked for the message. */
  async #confirm({ application_id: app, token }: APIInteraction): Promise<unknown> {
    const route = Routes.webhookMessage(app, token);
    for (let attempt = 0; ; attempt += 1) {
      await sleep(this.#clock, PAUSES_MS[attempt] ?? 0);
      try {
        const answer = await this.get(route, { auth: false });
        return { interaction: { response_message_id: message.parse(answer).id } };
      } catch (error) {
        if (!isRefusal(error, ...UNREAD_RESPONSE) || attempt + 1 >= PAUSES_MS.length) throw error;
      }
    }
  }

  /** The response to this interaction waits for its first answer. */
  hold(interaction: APIInteraction) {
    const route = Routes.interactionCallback(interaction.id, interaction.token);
    const { promise: answered, resolve: answer } = Promise.withResolvers<HttpAnswer>();
    this.#open.set(route, { interaction, answer });
    return { answered, drop: () => void this.#open.delete(route) };
  }
}
