/**
 * The adapter for Discord. `createDiscord` composes its parts: interactions arrive over the gateway (`gateway/`) or as HTTP
 * requests (`interactions/http-endpoint.ts`), are handled in `interactions/interaction-create.ts` and answered in
 * `replies/`; `messages/` edits the cards of jobs later.
 */

import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { AdapterDependencies, AdapterOptions, Connected } from '../adapter.ts';
import { createRegistration } from './application-commands.ts';
import { createFetchPhoto } from './attachments.ts';
import { createGateway } from './gateway/gateway.ts';
import { createGuilds } from './guilds.ts';
import { createHttpConnection } from './interactions/http-endpoint.ts';
import { createIntake } from './interactions/intake.ts';
import { createInteractionHandler } from './interactions/interaction-create.ts';
import { createDrawing } from './messages/draw-card.ts';
import { createSay } from './messages/send-message.ts';
import { createUploadLimits } from './messages/upload-limits.ts';
import { linkOf, readCard } from './payloads/card-ref.ts';
import { createHostCheck } from './payloads/photo-ref.ts';
import { discordRecordRules } from './records.ts';
import { createAnswer } from './replies/answer-interaction.ts';
import { createOwedAnswers, owedAnswerRecordRules } from './replies/owed-answers.ts';
import { createShowReply } from './replies/show-reply.ts';
import { createApi, type DiscordConfig, type DiscordContext } from './rest/api.ts';
import { applicationOf, INTERACTIONS_PATH, inviteLink } from './rest/application.ts';

const LONGEST_STOP_MS = 10_000;

interface DiscordOptions
  extends AdapterOptions,
    DiscordConfig,
    Pick<AdapterDependencies, 'members' | 'tellOwners'> {
  /** Notes about interactions that were acknowledged but not answered, by the interaction's id. */
  readonly owedNotes: Records;
}

/** Makes the adapter from its configuration and the parts of the program; nothing connects before `start`. */
export function createDiscord(options: DiscordOptions): Connected {
  const { token, publicKey, commands, desk, state, members, clock, log, tellOwners } = options;
  const { api, interactions } = createApi(options, clock);
  const stopping = new AbortController();
  const stop = stopping.signal;
  const common: DiscordContext = { api, state, members, clock, log, stop };
  const isAllowedHost = createHostCheck(options.cdnHosts);
  const { during, ...guilds } = createGuilds(api, clock);
  const uploads = createUploadLimits();
  const drawing = createDrawing(common, uploads);
  const owed = createOwedAnswers(common, options.owedNotes, desk, drawing);
  const register = createRegistration(common, commands);
  const answer = createAnswer(common, createShowReply(common, desk), owed, tellOwners);
  const handleInteraction = createInteractionHandler(common, commands, desk, answer, isAllowedHost);
  const intake = createIntake(common, (interaction) =>
    during(interaction, () => handleInteraction(interaction)),
  );
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
      // The store itself deletes this adapter's records about a person, because `ownerOf` names the owner of each.
      forget: async () => undefined,
      photo: createFetchPhoto(api, clock, isAllowedHost),
      ...guilds,
      link: (card, place) => linkOf(readCard(card), place),
      standsBy: connection.standsBy,
      trouble: () => connection.trouble() ?? api.tokenFault() ?? intake.overload(),
    },
  };
}

/** Opens the adapter with records and a log of its own. */
export const connect = async (config: DiscordConfig, parts: AdapterDependencies): Promise<Connected> =>
  createDiscord({
    ...config,
    ...parts,
    state: parts.state(discordRecordRules),
    owedNotes: parts.state(owedAnswerRecordRules, 'owed'),
    log: parts.log.child({ platform: 'discord' }),
  });
