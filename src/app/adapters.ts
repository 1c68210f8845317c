import { Hono } from 'hono';
import { commands } from '../../commands/index.ts';
import type { Adapter, Memberships } from '../adapters/adapter.ts';
import type { WebOptions } from '../adapters/web/adapter.ts';
import type { SignIn } from '../adapters/web/visitors/sign-in.ts';
import type { Clock } from '../base/clock.ts';
import type { KeyValue } from '../base/key-value.ts';
import type { Inbox } from '../base/members/inbox.ts';
import type { Members } from '../base/members/members.ts';
import type { Desk } from '../command/desk.ts';
import type { Config } from '../config/config.ts';
import type { Mount } from '../http/routes.ts';
import type { Log } from '../log/log.ts';
import type { RecordRules } from '../store/records/store.ts';
import { wordsFor } from '../words/words.ts';
import { hasPlaygroundOwner } from './monitoring/has-console.ts';
import type { OwnerNotice } from './notices/owner-notices.ts';
import { readSamples } from './platforms/samples.ts';

export interface AdapterParts {
  readonly desk: Desk;
  readonly state: (platform: string, rules: RecordRules) => KeyValue;
  readonly members: Members;
  readonly inbox: Inbox | undefined;
  /** Other processes may use the store at the same time. */
  readonly shared: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** A community got a new id. */
  readonly migrated: (from: string, to: string) => Promise<void>;
  readonly memberships: Memberships;
  readonly ownerNotice: OwnerNotice;
  /** Present when there is a password. */
  readonly signIn: SignIn | undefined;
  /** A preview as a small JPEG. */
  readonly preview: WebOptions['preview'];
}

/** A platform's library is loaded only if the platform is on: loading takes most of the start time. */
export async function createAdapters(
  config: Config,
  {
    desk,
    state,
    members,
    inbox,
    shared,
    clock,
    log,
    migrated,
    memberships,
    ownerNotice,
    signIn,
    preview,
  }: AdapterParts,
) {
  const adapters: Adapter[] = [];
  const mounts: Mount[] = [];
  /** The link that invites the bot to a Discord server. */
  let invite: string | undefined;
  const common = { commands, desk, clock, words: wordsFor };

  if (config.discord) {
    const { createDiscordAdapter } = await import('../adapters/discord/adapter.ts');
    const { INTERACTIONS_PATH } = await import('../adapters/discord/api/application.ts');
    const { applicationOf, inviteLink } = await import('../adapters/discord/api/invite.ts');
    const application = applicationOf(config.discord.token);
    invite = application && inviteLink(application);
    const { discordRecords } = await import('../adapters/discord/records.ts');
    const own = {
      state: state('discord', discordRecords),
      members,
      log: log.child({ platform: 'discord' }),
      sessionsExhausted: () => ownerNotice('discord-sessions'),
      conflicted: () => ownerNotice('discord-conflict'),
    };
    const discord = createDiscordAdapter({ ...config.discord, ...common, ...own });
    adapters.push(discord);
    const { interactions } = discord;
    if (interactions) {
      const app = new Hono().post('/', (context) => interactions(context.req.raw));
      mounts.push({ path: INTERACTIONS_PATH, app, anyHost: true });
    }
  }
  if (config.telegram) {
    const { createTelegramAdapter } = await import('../adapters/telegram/adapter.ts');
    const { telegramRecords } = await import('../adapters/telegram/records.ts');
    const own = {
      state: state('telegram', telegramRecords),
      log,
      members,
      inbox,
      migrated,
      memberships,
      conflicted: () => ownerNotice('telegram-conflict'),
    };
    const telegram = createTelegramAdapter({ ...config.telegram, ...common, ...own });
    adapters.push(telegram);
    const { webhook } = telegram;
    if (webhook && config.telegram.webhook) {
      const { pathname } = new URL(config.telegram.webhook.url);
      const app = new Hono().post('/', (context) => webhook(context.req.raw));
      mounts.push({ path: pathname, app, anyHost: true });
    }
  }
  if (config.playground.on) {
    const { createWebAdapter } = await import('../adapters/web/adapter.ts');
    const { webRecords } = await import('../adapters/web/records.ts');
    const web = createWebAdapter({
      ...common,
      state: state('web', webRecords),
      process: shared ? members.process : undefined,
      log,
      signIn,
      hasOwner: hasPlaygroundOwner(config),
      samples: await readSamples(),
      preview,
    });
    adapters.push(web);
    mounts.push({ path: '/', app: web.routes, anyHost: signIn !== undefined });
  }
  return { adapters, mounts, invite };
}
