import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { commands } from '../../commands/index.ts';
import type { Adapter, ConnectParts } from '../adapters/adapter.ts';
import { connectionOf } from '../adapters/connections.ts';
import type { WebOptions } from '../adapters/web/outgoing/parts.ts';
import { type Config, hasPlaygroundOwner } from '../config/config.ts';
import type { Mount } from '../http/routes.ts';
import { PLATFORMS, type Platform } from '../platforms/platforms.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { RecordRules } from '../store/tables/entries.ts';
import { wordsFor } from '../words/words.ts';

/** Drawn sample photos for the playground. */
const SAMPLES = ['portrait', 'group'] as const;

const readSample = async (name: (typeof SAMPLES)[number]) => ({
  name,
  bytes: new Uint8Array(
    await readFile(new URL(`../generation-service/samples/${name}.jpg`, import.meta.url)),
  ),
});

export interface AdapterParts extends Omit<ConnectParts, 'commands' | 'words' | 'state'> {
  readonly state: (
    platform: Platform,
    rules: RecordRules,
    part?: string,
  ) => ReturnType<ConnectParts['state']>;
  /** Present when there is a password. */
  readonly signIn: SignIn | undefined;
  /** A preview as a small JPEG. */
  readonly preview: WebOptions['preview'];
}

/** A platform's library is loaded only if the platform is on: loading takes most of the start time. */
export async function createAdapters(config: Config, parts: AdapterParts) {
  const { state, signIn, preview, ...rest } = parts;
  const common = { ...rest, commands, words: wordsFor };
  const adapters: Adapter[] = [];
  const mounts: Mount[] = [];
  /** Links that invite the bot. */
  const invites: string[] = [];

  for (const platform of PLATFORMS) {
    const connection = connectionOf(platform);
    const settings = config.platforms[platform];
    if (connection === undefined || settings === undefined) continue;
    const own = { state: (rules: RecordRules, part?: string) => state(platform, rules, part) };
    const { adapter, webhook, invite } = await connection.open(settings, { ...common, ...own });
    adapters.push(adapter);
    if (invite !== undefined) invites.push(invite);
    if (webhook === undefined) continue;
    const app = new Hono().post('/', (context) => webhook.handle(context.req.raw));
    mounts.push({ path: webhook.path, app, hasSecret: true });
  }
  if (config.playground.on) {
    const { createWebAdapter } = await import('../adapters/web/adapter.ts');
    const { webRecords } = await import('../adapters/web/records.ts');
    const web = createWebAdapter({
      ...common,
      state: state('web', webRecords),
      signIn,
      hasOwner: hasPlaygroundOwner(config),
      samples: await Promise.all(SAMPLES.map(readSample)),
      preview,
    });
    adapters.push(web);
    mounts.push({ path: '/', app: web.routes, hasSecret: signIn !== undefined });
  }
  return { adapters, mounts, invites };
}
