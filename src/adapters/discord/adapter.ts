import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { AdapterOptions, Connected, ConnectParts } from '../adapter.ts';
import { type Common, createApi, type DiscordConfig } from './api/api.ts';
import { applicationOf, INTERACTIONS_PATH, inviteLink } from './api/application.ts';
import { linkOf, readCard } from './api/card-ref.ts';
import { createGateway } from './api/gateway.ts';
import { createHostCheck } from './api/photo-ref.ts';
import { createEvents } from './incoming/events.ts';
import { createHttpConnection } from './incoming/http-connection.ts';
import { createIntake } from './incoming/intake.ts';
import { createFetchPhoto } from './incoming/photos.ts';
import { createServers } from './incoming/servers.ts';
import { createRegistration } from './outgoing/commands.ts';
import { createAnswer } from './outgoing/interactions/answer-interaction.ts';
import { createOwedAnswers, owedRecords } from './outgoing/interactions/owed-answers.ts';
import { createShowReply } from './outgoing/interactions/show-reply.ts';
import { createDrawing } from './outgoing/messages/draw-card.ts';
import { createSay } from './outgoing/messages/send-message.ts';
import { createUploadLimits } from './outgoing/messages/upload-limits.ts';
import { discordRecords } from './records.ts';

const LONGEST_STOP_MS = 10_000;

interface DiscordOptions extends AdapterOptions, DiscordConfig, Pick<ConnectParts, 'members' | 'tellOwners'> {
  /** Notes about answers that are owed, by the interaction's id. */
  readonly owedNotes: Records;
}

export function createDiscord(options: DiscordOptions): Connected {
  const { token, publicKey, commands, desk, state, members, clock, log, words, tellOwners } = options;
  const { api, interactions } = createApi(options, clock);
  const stopping = new AbortController();
  const stop = stopping.signal;
  const common: Common = { api, state, members, clock, log, words, stop };
  const isAllowedHost = createHostCheck(options.cdnHosts);
  const { during, ...servers } = createServers(api, clock);
  const uploads = createUploadLimits();
  const drawing = createDrawing(common, uploads);
  const owed = createOwedAnswers(common, options.owedNotes, desk, drawing);
  const register = createRegistration(common, commands);
  const answer = createAnswer(common, createShowReply(common, desk), owed, tellOwners);
  const events = createEvents(common, commands, desk, answer, isAllowedHost);
  const intake = createIntake(common, (interaction) => during(interaction, () => events(interaction)));
  const http =
    publicKey === undefined
      ? undefined
      : createHttpConnection(common, publicKey, interactions, intake, register);
  const connection = http ?? createGateway(common, token, intake.take, register, tellOwners);
  const application = applicationOf(token);
  let looking: Promise<void> | undefined;

  return {
    ...defined({
      webhook: http && { path: INTERACTIONS_PATH, handle: http.handle },
      invite: application && inviteLink(application),
    }),
    adapter: {
      platform: 'discord',
      async start() {
        looking = owed.look();
        await connection.start();
      },
      async stop() {
        stopping.abort();
        await connection.ended();
        await intake.idle(LONGEST_STOP_MS);
        await looking;
      },
      ...drawing,
      say: createSay(api, clock, uploads),
      // The store deletes this adapter's records: each names its owner.
      forget: async () => undefined,
      photo: createFetchPhoto(api, clock, isAllowedHost),
      ...servers,
      link: (card, place) => linkOf(readCard(card), place),
      standsBy: connection.standsBy,
      trouble: () => connection.trouble() ?? api.tokenFault() ?? intake.overload(),
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
