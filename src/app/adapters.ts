import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import type { Adapter, AdapterDependencies } from '../adapters/adapter.ts';
import { connectionOf } from '../adapters/connections.ts';
import type { WebOptions } from '../adapters/web/outgoing/dependencies.ts';
import { webRecordRules } from '../adapters/web/records.ts';
import { type Config, hasPlaygroundOwner } from '../config/config.ts';
import type { Mount } from '../http/routes.ts';
import { PLATFORMS, type Platform } from '../platforms/platforms.ts';
import { createSignIn } from '../sign-in/sign-in.ts';
import type { RecordRules } from '../store/tables/entries.ts';
import type { OpenedStore, Store } from '../store/tables/store.ts';
import { commandsFor } from './commands.ts';

/** Drawn sample photos for the playground. */
const SAMPLES = ['portrait', 'group'] as const;

const readSample = async (name: (typeof SAMPLES)[number]) => ({
  name,
  bytes: new Uint8Array(
    await readFile(new URL(`../generation-service/samples/${name}.jpg`, import.meta.url)),
  ),
});

export interface AdaptersDependencies extends Omit<AdapterDependencies, 'commands' | 'state' | 'inbox'> {
  readonly store: Pick<Store, 'keyv' | 'inbox'>;
  /** The pace that processes keep together; undefined: there is only one. */
  readonly sharedPace: OpenedStore['sharedPace'] | undefined;
  /** A preview as a small JPEG. */
  readonly preview: WebOptions['preview'];
}

/** A platform's library is loaded only if the platform is on: loading takes most of the start time. */
export async function createAdapters(config: Config, parts: AdaptersDependencies) {
  const { store, sharedPace, preview, ...rest } = parts;
  const common = { ...rest, inbox: store.inbox, commands: commandsFor(config) };
  const stateOf = (platform: Platform) => (rules: RecordRules, part?: string) =>
    store.keyv(['adapter', platform, ...(part === undefined ? [] : [part])].join(':'), rules);
  const webState = () => stateOf('web')(webRecordRules);
  const { password } = config.playground;
  /** Present when there is a password. */
  const signIn =
    password === undefined
      ? undefined
      : createSignIn(password, webState(), common.clock, sharedPace?.('sign-in'));
  const adapters: Adapter[] = [];
  const mounts: Mount[] = [];
  /** Links that invite the bot. */
  const invites: string[] = [];

  for (const platform of PLATFORMS) {
    const connection = connectionOf(platform);
    const settings = config.platforms[platform];
    if (connection === undefined || settings === undefined) continue;
    const { adapter, webhook, invite } = await connection.open(settings, {
      ...common,
      state: stateOf(platform),
    });
    adapters.push(adapter);
    if (invite !== undefined) invites.push(invite);
    if (webhook === undefined) continue;
    const app = new Hono().post('/', (context) => webhook.handle(context.req.raw));
    mounts.push({ path: webhook.path, app, hasSecret: true });
  }
  if (config.playground.on) {
    const { createWebAdapter } = await import('../adapters/web/adapter.ts');
    const web = createWebAdapter({
      ...common,
      state: webState(),
      signIn,
      hasOwner: hasPlaygroundOwner(config),
      samples: await Promise.all(SAMPLES.map(readSample)),
      preview,
    });
    adapters.push(web);
    mounts.push({ path: '/', app: web.routes, hasSecret: signIn !== undefined });
  }
  return { adapters, mounts, invites, signIn };
}
