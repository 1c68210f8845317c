import type { APIInteraction } from 'discord.js';
import { languages } from '../../words/words.ts';
import type { Adapter } from '../adapter.ts';
import { linkOf, readCard } from './api/card-ref.ts';
import { createGateway } from './api/gateway.ts';
import { createHttpAnswers } from './api/http-answers.ts';
import { createHostCheck } from './api/photo-ref.ts';
import { createRequests, type DiscordOptions } from './api/requests.ts';
import { createServers } from './api/servers.ts';
import { createEvents } from './incoming/events.ts';
import { createHttpInteractions } from './incoming/http-interactions.ts';
import { createHttpStart } from './incoming/http-start.ts';
import { createIntake } from './incoming/intake.ts';
import { createServerModerators } from './incoming/moderators.ts';
import { createFetchPhoto } from './incoming/photos.ts';
import { registration } from './outgoing/commands.ts';
import { createAnswer } from './outgoing/interactions/answer-interaction.ts';
import { createOwedAnswers } from './outgoing/interactions/owed-answers.ts';
import { createDrawing } from './outgoing/messages/draw-card.ts';
import { createSay } from './outgoing/messages/send-message.ts';
import { createRegistration } from './outgoing/register.ts';
import { createFormStore } from './outgoing/render/forms.ts';

export interface DiscordAdapter extends Adapter {
  /** Handles POST requests with interactions; absent with the gateway. */
  readonly interactions?: (request: Request) => Promise<Response>;
}

const LONGEST_STOP_MS = 10_000;

export function createDiscordAdapter(options: DiscordOptions): DiscordAdapter {
  const { clock, state, publicKey } = options;
  const answers = createHttpAnswers(createRequests(options), clock);
  const { requests } = answers;
  const isAllowedHost = createHostCheck(options.cdnHosts);
  const parts = { ...options, requests, isAllowedHost, formStore: createFormStore(state) };
  const moderators = createServerModerators(requests, clock);
  const drawing = createDrawing(parts);
  const owed = createOwedAnswers({ ...parts, ...drawing });
  const registering = createRegistration(parts, registration(options.commands, languages));
  /** Interactions that Discord delivered again: some were answered before the connection was lost. */
  const repeated = new WeakSet<APIInteraction>();
  const events = createEvents({
    ...parts,
    answer: createAnswer({ ...parts, owed, isRepeated: (interaction) => repeated.has(interaction) }),
  });
  const intake = createIntake({
    ...parts,
    handle: (interaction) => moderators.during(interaction, () => events(interaction)),
  });
  const receive = (interaction: APIInteraction, isRepeated: boolean): Promise<void> => {
    if (isRepeated) repeated.add(interaction);
    return intake.take(interaction);
  };
  const ready = registering.run;
  const connection =
    publicKey === undefined
      ? createGateway({ ...parts, ready, interaction: receive })
      : createHttpStart({ ...parts, publicKey, ready });

  let stopped = false;

  return {
    platform: 'discord',
    ...(publicKey === undefined
      ? {}
      : {
          interactions: createHttpInteractions({
            ...parts,
            publicKey,
            answers,
            intake,
            closed: () => stopped,
          }),
        }),
    async start() {
      owed.start();
      await connection.start();
    },
    async stop() {
      stopped = true;
      registering.stop();
      await connection.stop();
      await intake.idle(LONGEST_STOP_MS);
      await owed.stop();
    },
    ...drawing,
    say: createSay(requests, clock),
    // The store deletes this adapter's records: each names its owner.
    forget: async () => undefined,
    photo: createFetchPhoto(parts),
    isModerator: moderators.isModerator,
    isMember: moderators.isMember,
    ...createServers(requests),
    link: (card, place) => linkOf(readCard(card), place),
    standsBy: connection.standsBy,
    trouble: () => connection.trouble() ?? requests.tokenFault() ?? intake.overload(),
  };
}
