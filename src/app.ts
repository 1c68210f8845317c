import { randomBytes } from 'node:crypto';
import { createAdapters } from './app/adapters.ts';
import { endFormerSessions } from './app/console.ts';
import { openCore } from './app/core.ts';
import { createFigures } from './app/figures/figures.ts';
import { failing } from './app/figures/outage-watch.ts';
import type { Running } from './app/monitoring/banner.ts';
import { addGauges } from './app/monitoring/metrics.ts';
import { createObserver } from './app/monitoring/observer.ts';
import { openProgramStore } from './app/open-store.ts';
import { createPlatformRegistry } from './app/platforms/registry.ts';
import { connectService } from './app/service/connect-service.ts';
import { openWebServer } from './app/web-server.ts';
import { type Clock, waitAtMost } from './base/clock.ts';
import type { Config } from './config/config.ts';
import { createFaceFinder } from './faces/finder.ts';
import type { RootLog } from './log/log.ts';
import { createDecoder } from './picture/decoder.ts';
import { StoreError } from './store/records/store-error.ts';

const LONGEST_VERIFYING_MS = 3_000;

/** The composition root: connects all parts, top to bottom. What is opened last is closed first. */
async function openProgram(
  config: Config,
  log: RootLog,
  clock: Clock,
  replaced: (() => void) | undefined,
  opened: AsyncDisposableStack,
): Promise<Running> {
  const stored = await openProgramStore(config, log, clock, replaced, opened);
  const { store, members, sharedPace, retryAfterLoss, health } = stored;
  const observer = createObserver(members, clock, log);

  // The generation service, which shares the finder if it is embedded
  const finder = createFaceFinder({ clock });
  opened.defer(() => finder.close());
  const { called, callFailed } = observer;
  const service = await connectService(
    { config, log, clock, finder, sharedPace, called, callFailed },
    opened,
  );
  const decoder = createDecoder({ clock });
  opened.defer(() => decoder.close());

  // Communities, jobs and the desk; what they count and what fails is watched until they have stopped
  const platforms = createPlatformRegistry();
  const core = openCore({
    config,
    store: { ...store, jobs: observer.timed(store.jobs) },
    members,
    retryAfterLoss,
    service,
    decoder,
    finder,
    platforms,
    observer,
    clock,
    log,
  });
  const { orchestrator, communities, notices, photos } = core;
  addGauges(observer.metrics, {
    stats: orchestrator.stats,
    outages: orchestrator.outages,
    damaged: store.damaged,
    callsWaiting: service.callsWaiting,
    adapters: platforms.all,
    members,
  });
  const figures = createFigures({
    counts: observer.counts,
    records: store.figures,
    usage: store.usage,
    clock,
    log,
    writer: randomBytes(6).toString('base64url'),
    failing: () => failing(orchestrator.outages(), platforms.all(), health.trouble()),
    members,
  });
  opened.defer(figures.stop);
  opened.defer(photos.previews.close);
  opened.defer(orchestrator.stop);

  // The platforms and the web server
  const { adapters, mounts, invites, signIn } = await createAdapters(config, {
    desk: core.desk,
    store,
    members,
    sharedPace,
    clock,
    log,
    tellOwners: notices.tellOwners,
    preview: photos.previews.tile,
    migrated: communities.migrated,
    memberships: communities.watch.memberships,
  });
  for (const adapter of adapters) platforms.add(adapter);
  const http = await openWebServer({
    config,
    store,
    members,
    health,
    observer,
    figures,
    service,
    core,
    adapters,
    mounts,
    signIn,
    clock,
    log,
  });
  opened.defer(
    async () => void (await Promise.all([http.close(), ...adapters.map((adapter) => adapter.stop())])),
  );

  // The start. Verifying a very large store takes longer than this and goes on meanwhile.
  await waitAtMost(clock, LONGEST_VERIFYING_MS, stored.verified);
  stored.verified.catch((error: unknown) =>
    log.error({ err: error }, 'the store is damaged: nothing is accepted'),
  );
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
  await Promise.all(adapters.map((adapter) => adapter.start()));
  opened.defer(communities.campaigns.start());
  opened.defer(communities.watch.start());
  health.start();
  figures.start();
  stored.damage.tellBy(() => notices.tellOwners('damaged-records'));

  const { url, embedded } = service.access;
  return { url: http.url, service: { url, embedded }, invites };
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
    ready: openProgram(config, log, clock, replaced, opened).catch(close),
    /** Closes what is open, the last first; also during opening. */
    stop: (): Promise<void> => opened.disposeAsync(),
  };
}
