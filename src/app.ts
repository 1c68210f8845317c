import { randomBytes } from 'node:crypto';
import { webRecords } from './adapters/web/records.ts';
import { createAdapters } from './app/adapters.ts';
import { consoleMount, endFormerSessions } from './app/console.ts';
import { openCore } from './app/core.ts';
import { createFigures } from './app/figures/figures.ts';
import { failing } from './app/figures/outage-watch.ts';
import type { Running } from './app/monitoring/banner.ts';
import { createMetrics } from './app/monitoring/metrics.ts';
import { createAppReadiness, createStoreHealth } from './app/monitoring/readiness.ts';
import { createDamageNotices, logFailed } from './app/notices/notices.ts';
import { createPlatformRegistry } from './app/platforms/registry.ts';
import { createRetryAfterLoss } from './app/retry-after-loss.ts';
import { connectService } from './app/service/connect-service.ts';
import { type Clock, machineTime, waitAtMost } from './base/clock.ts';
import { version } from './base/version.ts';
import type { Config } from './config/config.ts';
import { createFaceFinder } from './faces/finder.ts';
import { createHttp } from './http/server.ts';
import type { RootLog } from './log/log.ts';
import { createDecoder } from './picture/decoder.ts';
import { createSignIn } from './sign-in/sign-in.ts';
import { StoreError } from './store/records/store-error.ts';
import { openStore } from './store/store.ts';
import type { RecordRules } from './store/tables/entries.ts';

const LONGEST_VERIFYING_MS = 3_000;

/** The composition root: connects all parts, top to bottom. What is opened last is closed first. */
async function connectParts(
  config: Config,
  log: RootLog,
  clock: Clock,
  replaced: (() => void) | undefined,
  opened: AsyncDisposableStack,
): Promise<Running> {
  const platforms = createPlatformRegistry();

  // The store
  const damage = createDamageNotices(log);
  const { store, members, sharedPace, close } = await openStore({
    ...config.store,
    now: clock.now,
    damaged: damage.found,
    machine: machineTime,
    log,
    version,
    load: () => core.orchestrator.underWay(),
    ...(replaced && { replaced }),
  });
  const retryAfterLoss = createRetryAfterLoss(store, members, clock);
  opened.defer(close);
  const verified = store.verify();
  // SQLite removes its log when the last connection closes: the store must be the last, so wait for the verifier.
  const verifying = verified.catch(() => undefined);
  opened.defer(() => verifying);

  // Monitoring
  const storeHealth = createStoreHealth({ store, members, clock, log });
  opened.defer(storeHealth.stop);
  const figures = createFigures({
    records: store.figures,
    usage: store.usage,
    clock,
    log,
    writer: randomBytes(6).toString('base64url'),
    failing: () => failing(core.orchestrator.outages(), platforms.all(), storeHealth.trouble()),
    members,
  });
  opened.defer(figures.stop);
  const metrics = createMetrics({
    stats: () => core.orchestrator.stats(),
    outages: () => core.orchestrator.outages(),
    damaged: store.damaged,
    callsWaiting: () => service.callsWaiting(),
    adapters: () => platforms.all(),
    members,
  });

  // The generation service, which shares the finder if it is embedded
  const finder = createFaceFinder({ clock });
  opened.defer(() => finder.close());
  const service = await connectService(
    {
      config,
      log,
      clock,
      finder,
      sharedPace,
      called: metrics.called,
      callFailed: (error) => {
        metrics.callFailed(error);
        figures.callFailed(error);
      },
    },
    opened,
  );
  const { access } = service;
  const decoder = createDecoder({ clock });
  opened.defer(() => decoder.close());

  // Community, jobs and desk
  const core = openCore({
    config,
    store: { ...store, jobs: metrics.timed(store.jobs) },
    members,
    retryAfterLoss,
    service,
    decoder,
    finder,
    platforms,
    clock,
    log,
    observer: {
      polled: metrics.polled,
      faceChecked: (event) => {
        metrics.faceChecked(event);
        figures.faceChecked(event);
      },
      answered: metrics.answered,
      refused: ({ id, place: { platform } }, reason) => {
        metrics.refused(platform);
        figures.refused(platform);
        log.warn({ job: id, platform, reason }, 'a platform refuses to show how a job ended');
      },
      finished: (job) => {
        metrics.finished(job);
        figures.finished(job);
        logFailed(job, log);
      },
    },
  });
  const { desk, orchestrator, communities } = core;
  const { tellOwners } = core.notices;
  opened.defer(() => core.photos.previews.close());
  opened.defer(() => orchestrator.stop());

  // The platforms
  const state = (platform: string, rules: RecordRules, part?: string) =>
    store.keyv(['adapter', platform, ...(part === undefined ? [] : [part])].join(':'), rules);
  const { password } = config.playground;
  const signIn =
    password === undefined
      ? undefined
      : createSignIn(password, state('web', webRecords), clock, sharedPace?.('sign-in'));
  const {
    adapters: created,
    mounts,
    invites,
  } = await createAdapters(config, {
    desk,
    state,
    members,
    inbox: store.inbox,
    clock,
    log,
    tellOwners,
    signIn,
    preview: core.photos.previews.tile,
    migrated: communities.migrated,
    memberships: communities.watch.memberships,
  });
  for (const adapter of created) platforms.add(adapter);

  // The web server
  const http = await createHttp({
    ...config.http,
    clock,
    log,
    health: () => ({ uptimeSeconds: Math.round(process.uptime()) }),
    ready: createAppReadiness({
      store,
      members,
      client: service.client,
      orchestrator,
      credentials: [
        ...(access.apiKey ? (['key'] as const) : []),
        ...(access.token ? (['token'] as const) : []),
      ],
      adapters: created,
      clock,
      log,
    }),
    metrics: metrics.registry,
    mount: [
      ...consoleMount({
        config,
        store,
        figures,
        storeTrouble: storeHealth.ask,
        stats: orchestrator.stats,
        adapters: created,
        members,
        rules: core.records.rules,
        approvals: core.records.approvals,
        campaigns: communities.campaigns,
        allowances: communities.allowances,
        settings: communities.settingsPort,
        approvalDecisions: communities.approvalsPort,
        inConsole: core.notices.owners.inConsole,
        audit: core.notices.audit,
        signIn,
        clock,
      }),
      ...mounts,
    ],
  });
  opened.defer(
    async () => void (await Promise.all([http.close(), ...created.map((adapter) => adapter.stop())])),
  );

  // The start. Verifying a very large store takes longer than this and goes on meanwhile.
  await waitAtMost(clock, LONGEST_VERIFYING_MS, verified);
  verified.catch((error: unknown) => log.error({ err: error }, 'the store is damaged: nothing is accepted'));
  await retryAfterLoss(orchestrator.start).catch((error: unknown) => {
    if (!store.isConnectionLoss(error)) throw error;
    throw new StoreError(`The store was lost during the start (STORE_URL): ${store.trouble(error)}`, {
      cause: error,
    });
  });
  await retryAfterLoss(() => endFormerSessions(config, store, clock)).catch((error: unknown) =>
    log.warn({ err: error }, 'sessions of a former password could not be deleted; the next start retries'),
  );
  opened.defer(communities.catalogs.start());
  communities.aliases
    .reconcile()
    .catch((error: unknown) =>
      log.warn({ err: error }, 'aliases could not be repaired; the next /alias list retries'),
    );
  await Promise.all(created.map((adapter) => adapter.start()));
  opened.defer(communities.campaigns.start());
  opened.defer(communities.watch.start());
  storeHealth.start();
  figures.start();
  damage.tellBy(() => tellOwners('damaged-records'));

  return { url: http.url, service: { url: access.url, embedded: access.embedded }, invites };
}

/** `replaced`: called when a restore has replaced the store under this process, which must end then. */
export function startApp(config: Config, log: RootLog, clock: Clock, replaced?: () => void) {
  const opened = new AsyncDisposableStack();
  const close = async (error: unknown): Promise<never> => {
    await opened.disposeAsync().catch((second: unknown) => log.warn({ err: second }, 'closing failed'));
    throw error;
  };
  return {
    /** Rejects when something could not be opened, after everything else was closed again. */
    ready: connectParts(config, log, clock, replaced, opened).catch(close),
    /** Closes what is open, the last first; also during opening. */
    stop: (): Promise<void> => opened.disposeAsync(),
  };
}
