import { defined } from '../../base/defined.ts';
import type { Connected, ConnectParts } from '../adapter.ts';
import { createDiscordAdapter, type DiscordOptions } from './adapter.ts';
import { INTERACTIONS_PATH } from './api/application.ts';
import { applicationOf, inviteLink } from './api/invite.ts';
import { owedRecords } from './outgoing/interactions/owed-answers.ts';
import { discordRecords } from './records.ts';

const SESSIONS =
  'Discord allows this bot only a few more connections today, so it waits before it reconnects. Something keeps closing its connections: look for a second program with the same DISCORD_TOKEN, and check the log.';
const CONFLICT =
  'Another program answers commands of this Discord bot before this one does. Stop the other program with the same DISCORD_TOKEN, or give it another bot. A second Darkroom on another store counts as one.';

export async function connect(
  config: Pick<DiscordOptions, 'token' | 'apiUrl' | 'cdnHosts' | 'publicKey'>,
  parts: ConnectParts,
): Promise<Connected> {
  const adapter = createDiscordAdapter({
    ...config,
    ...parts,
    state: parts.state(discordRecords),
    owedNotes: parts.state(owedRecords, 'owed'),
    log: parts.log.child({ platform: 'discord' }),
    sessionsExhausted: () => parts.tellOwners('discord-sessions', SESSIONS),
    conflicted: () => parts.tellOwners('discord-conflict', CONFLICT),
  });
  const application = applicationOf(config.token);
  const { interactions: handle } = adapter;
  return {
    adapter,
    ...defined({
      webhook: handle && { path: INTERACTIONS_PATH, handle },
      invite: application && inviteLink(application),
    }),
  };
}
