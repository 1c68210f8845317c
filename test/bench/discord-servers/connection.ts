/** One way of being connected to Discord with all shards, and nothing else. Prints a line when it is. */
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { Client, Events, GatewayIntentBits, Options, REST } from 'discord.js';
import { createGateway } from '../../../src/adapters/discord/api/gateway.ts';
import { createRequests } from '../../../src/adapters/discord/api/requests.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/log/log.ts';
import { createRecords } from '../../fakes/records.ts';
import { soleMember } from '../../fakes/sole-member.ts';

const [way = '', token = '', api = '', shards = '1'] = process.argv.slice(2);
const count = Number(shards);

/** As few as the library allows: it always keeps servers. */
const fewCaches = Options.cacheWithLimits({
  ...Object.fromEntries(
    [
      'ApplicationCommandManager',
      'AutoModerationRuleManager',
      'BaseGuildEmojiManager',
      'DMMessageManager',
      'GuildBanManager',
      'GuildEmojiManager',
      'GuildInviteManager',
      'GuildMemberManager',
      'GuildMessageManager',
      'GuildScheduledEventManager',
      'GuildStickerManager',
      'MessageManager',
      'PresenceManager',
      'ReactionManager',
      'StageInstanceManager',
      'ThreadManager',
      'ThreadMemberManager',
      'VoiceStateManager',
    ].map((name) => [name, 0]),
  ),
  UserManager: { maxSize: 200, keepOverLimit: (user) => user.id === user.client.user.id },
});

const connectClient = async (options: Partial<ConstructorParameters<typeof Client>[0]>): Promise<void> => {
  const client = new Client({ intents: [], shards: 'auto', rest: { api }, ...options });
  const ready = new Promise((done) => client.once(Events.ClientReady, done));
  await client.login(token);
  await ready;
};

const ways: Readonly<Record<string, () => Promise<void>>> = {
  all: () => connectClient({ intents: [GatewayIntentBits.Guilds] }),
  few: () => connectClient({ intents: [GatewayIntentBits.Guilds], makeCache: fewCaches }),
  'no-intent': () => connectClient({ makeCache: fewCaches }),
  async 'client-per-shard'() {
    await Promise.all(
      Array.from({ length: count }, (_, shard) =>
        connectClient({ makeCache: fewCaches, shards: [shard], shardCount: count }),
      ),
    );
  },
  async manager() {
    const rest = new REST({ api }).setToken(token);
    const manager = new WebSocketManager({ token, intents: 0, rest, shardCount: count });
    manager.on(WebSocketShardEvents.Error, ({ error }) => console.error(error));
    await manager.connect();
  },
  async darkroom() {
    const log = createLog({ level: 'warn', secrets: [] });
    const gateway = createGateway({
      token,
      requests: createRequests({ token, apiUrl: api, clock: systemClock }),
      members: soleMember,
      state: createRecords(),
      clock: systemClock,
      log,
      ready: () => undefined,
      interaction: () => undefined,
    });
    await gateway.start();
    while (gateway.trouble() !== undefined) await new Promise((done) => setTimeout(done, 50));
  },
};

await ways[way]?.();
process.stdout.write('connected\n');
