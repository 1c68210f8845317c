import { createAdapters } from './app/adapters.ts';
import { endFormerSessions } from './app/console.ts';
import { openCore } from './app/core.ts';
import type { Running } from './app/monitoring/banner.ts';
import { openObserver } from './app/monitoring/observer.ts';
import { openProgramStore } from './app/open-store.ts';
import { createPlatformRegistry } from './app/platforms/registry.ts';
import { residentsOf } from './app/platforms/residents.ts';
import { connectService } from './app/service/connect-service.ts';
import { openWebServer } from './app/web-server.ts';
import type { Clock } from './base/clock.ts';
import type { Config } from './config/config.ts';
import { createFaceFinder } from './faces/finder.ts';
import type { RootLog } from './log/log.ts';
import { createDecoder } from './picture/decoder.ts';

/**
 * The composition root: opens all parts from top to bottom, then starts them. Each puts what it opened on the stack `opened`, which
 * closes the last one first.
 */
async function openProgram(parts: {
  readonly config: Config;
  readonly log: RootLog;
  readonly clock: Clock;
  readonly replaced: (() => void) | undefined;
  readonly opened: AsyncDisposableStack;
}): Promise<Running> {
  const { config, log, clock, opened } = parts;
  const stored = await openProgramStore(parts);
  const { store, members, sharedPace, retryAfterLoss, health } = stored;
  const observer = openObserver({ store, members, clock, log, opened });

  // The processes that work on pictures, and the generation service, which finds faces with the same one if it is embedded
  const finder = createFaceFinder({ clock });
  opened.defer(() => finder.close());
  const decoder = createDecoder({ clock });
  opened.defer(() => decoder.close());
  const { called, callFailed } = observer;
  const service = await connectService({
    config,
    log,
    clock,
    finder,
    sharedPace,
    called,
    callFailed,
    opened,
  });

  // Communities, jobs and the desk
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
    residents: residentsOf(config),
    observer,
    clock,
    log,
    opened,
  });
  const { communities, jobs, notices, photos } = core;

  // The platforms, which bring events to the desk, and the web server
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
  platforms.connect(adapters);
  const http = await openWebServer({
    config,
    store,
    members,
    health,
    observer,
    service,
    core,
    adapters,
    platforms,
    mounts,
    signIn,
    clock,
    log,
  });
  // At the same time: pages that are open keep the server, and requests that are answered the platforms.
  opened.defer(async () => void (await Promise.all([http.close(), platforms.stop()])));

  // The start: jobs go on before people can ask for new ones
  await stored.verify();
  await jobs.start();
  await endFormerSessions({ config, store, retryAfterLoss, clock, log });
  communities.startFilters();
  await platforms.start();
  communities.startBackground();
  jobs.startRemovals();
  core.requests.startNotices();
  stored.start(notices.tellOwners);
  opened.defer(notices.ceilings.start());
  observer.start({
    orchestrator: jobs.orchestrator,
    adapters: platforms.all,
    storeTrouble: health.trouble,
    damaged: store.damaged,
    callsWaiting: service.callsWaiting,
    monthCeiling: config.ceilings.month,
  });

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
    ready: openProgram({ config, log, clock, replaced, opened }).catch(close),
    /** Closes what is open, the last first; also during opening. */
    stop: (): Promise<void> => opened.disposeAsync(),
  };
}
