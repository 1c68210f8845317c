import type { Adapter } from '../adapters/adapter.ts';
import type { Clock } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import type { Config } from '../config/config.ts';
import type { Mount } from '../http/routes.ts';
import { createHttp } from '../http/server.ts';
import type { Log } from '../log/log.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Store } from '../store/tables/store.ts';
import { consoleMount } from './console.ts';
import type { Core } from './core.ts';
import type { Observer } from './monitoring/observer.ts';
import { createAppReadiness, type createStoreHealth } from './monitoring/readiness.ts';
import type { PlatformRegistry } from './platforms/registry.ts';
import { removalMount } from './removal-page.ts';
import type { connectService } from './service/connect-service.ts';

/** Serves health, metrics, the console, and what the adapters mount: webhooks and the playground. */
export function openWebServer(parts: {
  readonly config: Config;
  readonly store: Store;
  readonly members: Members;
  readonly health: Pick<ReturnType<typeof createStoreHealth>, 'ask'>;
  readonly observer: Pick<Observer, 'metrics' | 'figures'>;
  readonly service: Pick<Awaited<ReturnType<typeof connectService>>, 'access' | 'client'>;
  readonly core: Core;
  readonly adapters: readonly Adapter[];
  readonly platforms: Pick<PlatformRegistry, 'readLink'>;
  readonly mounts: readonly Mount[];
  readonly signIn: SignIn | undefined;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { config, store, members, observer, service, core, adapters, signIn, clock, log } = parts;
  const { access, client } = service;
  const { jobs, communities, records, notices } = core;
  const { orchestrator } = jobs;
  const ready = createAppReadiness({
    store,
    members,
    client,
    orchestrator,
    credentials: [
      ...(access.apiKey ? (['key'] as const) : []),
      ...(access.token ? (['token'] as const) : []),
    ],
    adapters,
    clock,
    log,
  });
  const consolePages = consoleMount({
    config,
    store,
    figures: observer.figures,
    storeTrouble: parts.health.ask,
    stats: orchestrator.stats,
    adapters,
    members,
    rules: records.rules,
    approvals: records.approvals,
    campaigns: communities.campaigns,
    allowances: communities.allowances,
    settings: communities.settingsPort,
    approvalDecisions: communities.approvalsPort,
    inConsole: notices.owners.inConsole,
    audit: notices.audit,
    removals: jobs.removals,
    requests: core.requests,
    findResult: jobs.findResult,
    readLink: parts.platforms.readLink,
    nearResults: jobs.nearResults,
    fingerprint: jobs.fingerprint,
    signIn,
    clock,
  });
  return createHttp({
    ...config.http,
    clock,
    log,
    health: () => ({ uptimeSeconds: Math.round(process.uptime()) }),
    ready,
    metrics: observer.metrics,
    mount: [
      ...consolePages,
      ...removalMount({ config, requests: core.requests, clock, log }),
      ...parts.mounts,
    ],
  });
}
