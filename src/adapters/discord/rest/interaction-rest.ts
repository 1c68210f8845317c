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
import { isRefusedWith } from './fault.ts';

/** Codes while Discord has not processed the response yet, which can take ten seconds (discord-api-docs#7220). */
const UNREAD_RESPONSE = [RESTJSONErrorCodes.UnknownWebhook, RESTJSONErrorCodes.UnknownMessage] as const;
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/** Types of answers with a message, for which Discord can be asked. */
const WITH_MESSAGE: readonly unknown[] = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
  InteractionResponseType.DeferredMessageUpdate,
  InteractionResponseType.UpdateMessage,
];

const message = z.object({ id: z.string() });

/** The body of the HTTP response; `elsewhere` if the answer is sent as a request of its own. */
type HttpAnswer = { readonly body: unknown } | 'elsewhere';

/**
 * Sends requests with an interaction's token. The first answer to an interaction that came by HTTP must be the response to
 * that HTTP request: this class puts the request for the first answer into the response, and resolves it as Discord would.
 * All other requests are sent.
 */
export class InteractionRest extends BoundedRest {
  readonly #clock: Clock;
  /** Interactions whose HTTP response is still open, by the route of the request that would answer them. */
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
    // Discord refuses files in a response, but accepts them in a request after a response with status 202.
    if (files.length > 0) waiting?.answer('elsewhere');
    if (waiting === undefined || files.length > 0) return super.request(request, bounds);
    waiting.answer({ body });
    const { type } = z.object({ type: z.number() }).parse(body);
    const isAwaited = query?.get('with_response') === 'true' && WITH_MESSAGE.includes(type);
    return isAwaited ? this.#confirm(waiting.interaction) : undefined;
  }

  /**
   * Finds the id of the message that a response made: Discord does not confirm a response, so it is asked for the message.
   */
  async #confirm({ application_id: app, token }: APIInteraction): Promise<unknown> {
    const route = Routes.webhookMessage(app, token);
    for (let attempt = 0; ; attempt += 1) {
      await sleep(this.#clock, PAUSES_MS[attempt] ?? 0);
      try {
        const answer = await this.get(route, { auth: false });
        return { interaction: { response_message_id: message.parse(answer).id } };
      } catch (error) {
        if (!isRefusedWith(error, ...UNREAD_RESPONSE) || attempt + 1 >= PAUSES_MS.length) throw error;
      }
    }
  }

  /** Holds the HTTP response to this interaction open until its first answer is requested. */
  hold(interaction: APIInteraction) {
    const route = Routes.interactionCallback(interaction.id, interaction.token);
    const { promise: answered, resolve: answer } = Promise.withResolvers<HttpAnswer>();
    this.#open.set(route, { interaction, answer });
    return { answered, drop: () => void this.#open.delete(route) };
  }
}
