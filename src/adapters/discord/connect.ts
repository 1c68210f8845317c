import { defined } from '../../base/defined.ts';
import type { Connected, ConnectParts } from '../adapter.ts';
import { createDiscordAdapter } from './adapter.ts';
import { applicationOf, INTERACTIONS_PATH, inviteLink } from './api/application.ts';
import type { DiscordOptions } from './api/requests.ts';
import { owedRecords } from './outgoing/interactions/owed-answers.ts';
import { discordRecords } from './records.ts';

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
