import type { APIInteraction } from 'discord.js';
import { defined } from '../../base/defined.ts';
import { languages } from '../../words/words.ts';
import type { Connected, ConnectParts } from '../adapter.ts';
import { applicationOf, INTERACTIONS_PATH, inviteLink } from './api/application.ts';
import { linkOf, readCard } from './api/card-ref.ts';
import { createGateway } from './api/gateway.ts';
import { createHttpAnswers } from './api/http-answers.ts';
import { createHostCheck } from './api/photo-ref.ts';
import { createRequests, type DiscordConfig, type DiscordOptions } from './api/requests.ts';
import { createEvents } from './incoming/events.ts';
import { createHttpConnection } from './incoming/http-connection.ts';
import { createIntake } from './incoming/intake.ts';
import { createFetchPhoto } from './incoming/photos.ts';
import { createServers } from './incoming/servers.ts';
import { registration } from './outgoing/commands.ts';
import { type Arrivals, createAnswer } from './outgoing/interactions/answer-interaction.ts';
import { createOwedAnswers, owedRecords } from './outgoing/interactions/owed-answers.ts';
import { createDrawing } from './outgoing/messages/draw-card.ts';
import { createSay } from './outgoing/messages/send-message.ts';
import { createRegistration } from './outgoing/register.ts';
import { discordRecords } from './records.ts';

const LONGEST_STOP_MS = 10_000;

export function createDiscord(options: DiscordOptions): Connected {
  const { clock, publicKey } = options;
  const answers = createHttpAnswers(createRequests(options), clock);
  const { requests } = answers;
  const isAllowedHost = createHostCheck(options.cdnHosts);
  const parts = { ...options, requests, isAllowedHost };
  const { during, ...servers } = createServers(requests, clock);
  const drawing = createDrawing(parts);
  const owed = createOwedAnswers({ ...parts, ...drawing });
  const registering = createRegistration(parts, registration(options.commands, languages));
  const arrivals: Arrivals = new WeakMap();
  const events = createEvents({ ...parts, arrivals, answer: createAnswer({ ...parts, owed, arrivals }) });
  const handle = (interaction: APIInteraction) => during(interaction, () => events(interaction));
  const intake = createIntake({ ...parts, handle, arrivals });
  const ready = registering.run;
  const http =
    publicKey === undefined
      ? undefined
      : createHttpConnection({ ...parts, publicKey, answers, intake, ready });
  const connection = http ?? createGateway({ ...parts, ready, interaction: intake.take });
  const application = applicationOf(options.token);

  return {
    ...defined({
      webhook: http && { path: INTERACTIONS_PATH, handle: http.handle },
      invite: application && inviteLink(application),
    }),
    adapter: {
      platform: 'discord',
      async start() {
        owed.start();
        await connection.start();
      },
      async stop() {
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
      ...servers,
      link: (card, place) => linkOf(readCard(card), place),
      standsBy: connection.standsBy,
      trouble: () => connection.trouble() ?? requests.tokenFault() ?? intake.overload(),
    },
  };
}

export const connect = async (config: DiscordConfig, parts: ConnectParts): Promise<Connected> =>
  createDiscord({
    ...config,
    ...parts,
    state: parts.state(discordRecords),
    owedNotes: parts.state(owedRecords, 'owed'),
    log: parts.log.child({ platform: 'discord' }),
  });
