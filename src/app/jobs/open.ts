import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Members } from '../../base/members/members.ts';
import type { EventsUnderWay } from '../../command/desk/parts/under-way.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../log/log.ts';
import { createOrchestrator } from '../../orchestrator/orchestrator.ts';
import { durationRecordRules } from '../../orchestrator/schedule/timing.ts';
import type { Decoder } from '../../picture/decoder.ts';
import {
  createMessageDeletions,
  messageDeletionRecordRules,
} from '../../safety/removal/message-deletions.ts';
import {
  createRemovalRecords,
  openRemovalRecordRules,
  removalCountRecordRules,
  removalRecordRules,
} from '../../safety/removal/removal-records.ts';
import { createResultMessages, resultMessageRecordRules } from '../../safety/removal/result-messages.ts';
import { StoreError } from '../../store/records/store-error.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Communities } from '../community/open.ts';
import type { CommunityRecords } from '../community/records.ts';
import type { Observer } from '../monitoring/observer.ts';
import type { Notices } from '../notices/open.ts';
import type { Photos } from '../photos/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { ConnectedService } from '../service/connect-service.ts';
import { createDeleteMessages } from './delete-messages.ts';
import { createFindResult } from './find-result.ts';
import { createFingerprint } from './fingerprint.ts';
import { createHeldPort } from './held-port.ts';
import { createJobsPort } from './jobs-port.ts';
import { createNearResults } from './near-results.ts';
import { createNewJobsPort } from './new-jobs-port.ts';
import { createFitResult, createOrchestratorPorts } from './orchestrator-ports.ts';
import { priceList } from './price-list.ts';
import { createPrivacyPort } from './privacy-port.ts';
import { createRemovals } from './removals.ts';
import { createRemovalsPort } from './removals-port.ts';
import { createReportsPort } from './reports-port.ts';
import { sentFileRecordRules } from './send-file.ts';
import { createShownResults } from './shown-results.ts';
import { createTakeBack } from './take-back.ts';
import { createUnmarkedResult } from './unmarked-result.ts';
import { createCredits } from './usage-port.ts';

/** Jobs: how they are accepted and paid for, carried out, shown, shared, reported and deleted. */
export function openJobs(parts: {
  readonly config: Config;
  readonly store: Store;
  readonly members: Members;
  readonly platforms: PlatformRegistry;
  readonly service: ConnectedService;
  readonly decoder: Decoder;
  readonly records: CommunityRecords;
  readonly notices: Notices;
  readonly photos: Photos;
  readonly communities: Communities;
  readonly underWay: EventsUnderWay;
  readonly observer: Pick<Observer, 'finished' | 'polled' | 'refused' | 'contentChecked'>;
  readonly retryAfterLoss: <T>(work: () => Promise<T>) => Promise<T>;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { config, store, platforms, service, decoder, notices, photos, communities, clock, log } = parts;
  const { client, callsWaiting, downloads } = service;
  const { rules, consents, reports } = parts.records;
  const { audit, owners, wordsIn } = notices;
  const { gate, aliases, allowances, catalogs, filterOrders, settingsPort } = communities;
  const { usePhoto, checkedPhotos, contentCheck, faces, compareWithBlocked, hashResult } = photos;

  const fitResult = createFitResult(platforms, downloads, decoder, config.visibleMark);
  const resultMessages = createResultMessages(store.keyv('result-messages', resultMessageRecordRules));
  const deleteMessages = createDeleteMessages({ platforms, clock, log });
  const takeBack = createTakeBack({
    resultMessages,
    deletions: createMessageDeletions(store.keyv('message-deletions', messageDeletionRecordRules), clock.now),
    deleteMessages,
    clock,
    log,
  });
  const allRemovals = createRemovalRecords(
    {
      removals: store.keyv('removals', removalRecordRules),
      open: store.keyv('open-removals', openRemovalRecordRules),
      counts: store.keyv('removal-counts', removalCountRecordRules),
    },
    clock.now,
  );
  const orchestrator = createOrchestrator({
    store,
    members: parts.members,
    models: store.keyv('durations', durationRecordRules),
    client,
    callsWaiting,
    ports: {
      ...createOrchestratorPorts({
        gate,
        faces,
        platforms,
        decoder,
        clock,
        checkedPhotos,
        contentCheck,
        acceptsMinors: config.minors === 'allow',
        aliases,
        fitResult,
        unmarked: createUnmarkedResult({
          hasMark: config.visibleMark,
          getJob: store.jobs.get,
          client,
        }),
        async isRemoved(job) {
          const removal = await allRemovals.find(job);
          return removal !== undefined && removal.undone === undefined;
        },
        hashResult,
        compareWithBlocked,
        blockedPhotos: photos.blockedPhotos,
        refused: parts.observer.refused,
        aliasBroken: notices.aliasBroken,
      }),
      tellHeld: notices.held,
      takeBack: ({ id }) => takeBack.ofJob(id),
      discard: platforms.removeMessage,
      ownerNotice: notices.tellOwners,
      finished: parts.observer.finished,
      polled: parts.observer.polled,
    },
    limits: {
      userConcurrentJobs: config.user.concurrentJobs,
      userWaitingJobs: config.user.waitingJobs,
      userJobsPerMinute: config.user.jobsPerMinute,
      serviceConcurrentJobs: config.generation.concurrentJobs,
      serviceCallsPerSecond: config.generation.callsPerSecond,
      ...defined({
        serviceDailyCredits: config.ceilings.service,
        serviceMonthlyCredits: config.ceilings.month,
      }),
    },
    clock,
    random: Math.random,
    log,
    deadlines: config.deadlines,
    floorsMs: { image: config.floors.imageMs, video: config.floors.videoMs },
  });
  parts.opened.defer(orchestrator.stop);

  const prices = priceList(client.prices);
  const { creditsFor, usagePort } = createCredits(
    {
      orchestrator,
      rules,
      allowances,
      grants: store.grants,
      records: store.usage,
      isOwner: communities.moderators.isOwner,
      clock,
    },
    config,
  );
  const newJobsPort = createNewJobsPort({
    orchestrator,
    members: parts.members,
    audit,
    client,
    faces: photos.facesPort,
    creditsFor,
    acceptsMinors: config.minors === 'allow',
    catalogs,
    ceilingNotices: notices.ceilings,
  });
  const removals = createRemovals({
    records: allRemovals,
    resultMessages,
    orchestrator,
    deleteMessages,
    takeBack,
    rules,
    audit,
    usePhoto,
    faces,
    hasher: photos.hasher,
    blockedPhotos: photos.blockedPhotos,
    members: parts.members,
    clock,
    log,
  });
  const findResult = createFindResult({
    orchestrator,
    jobSearch: store.jobSearch,
    platforms,
    resultMessages,
  });
  const removalsPort = createRemovalsPort({
    findResult,
    platforms,
    rules,
    moderators: communities.moderators,
    removals,
  });
  const shownResults = createShownResults({ resultMessages, orchestrator, platforms, removals, takeBack });
  const jobsPort = createJobsPort({
    orchestrator,
    platforms,
    gate,
    rules,
    audit,
    client,
    fitResult,
    takeBack,
    contentCheck,
    faces,
    usePhoto,
    decoder,
    downloads,
    sentFiles: store.keyv('sent-files', sentFileRecordRules),
    hasMark: config.visibleMark,
    clock,
    reported: notices.reported,
  });
  const heldPort = createHeldPort({
    orchestrator,
    rules,
    moderators: communities.moderators,
    audit,
    client,
    fitResult,
    takeBack,
    counted: parts.observer.contentChecked,
  });
  const reportsPort = createReportsPort({
    rules,
    audit,
    platforms,
    reports,
    settings: settingsPort,
    jobs: jobsPort,
    ownerWords: owners.words,
    wordsIn,
  });
  const privacyPort = createPrivacyPort({
    orchestrator,
    platforms,
    consents,
    filterOrders,
    checkedPhotos,
    underWay: parts.underWay,
    checksContent: contentCheck !== undefined,
    hasVisibleMark: config.visibleMark,
    keepsFaces: faces !== undefined,
    clock,
  });

  return {
    orchestrator,
    newJobsPort,
    jobsPort,
    usagePort,
    privacyPort,
    reportsPort,
    removals,
    findResult,
    nearResults: createNearResults(store.jobSearch),
    fingerprint: createFingerprint(photos.hasher, decoder),
    removalsPort,
    shownResults,
    heldPort,
    /** What jobs of this command cost; undefined: nothing, or it is not known. */
    priceOf: (command: string) => prices.get(command),
    /** Goes on with the jobs that there are, and takes over those of dead processes. */
    async start(): Promise<void> {
      await parts.retryAfterLoss(orchestrator.start).catch((error: unknown) => {
        if (!store.isConnectionLoss(error)) throw error;
        throw new StoreError(`The store was lost during the start (STORE_URL): ${store.trouble(error)}`, {
          cause: error,
        });
      });
    },
    /** Goes on with removals whose process has died. Messages are deleted, so the platforms are connected before. */
    startRemovals(): void {
      parts.opened.defer(removals.start());
    },
  };
}
