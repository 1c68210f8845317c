import { buttons } from '../../commands/buttons/index.ts';
import { commands } from '../../commands/index.ts';
import { knownUsers } from '../adapters/web/visitors/people.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Members } from '../base/members/members.ts';
import { randomId } from '../base/random-id.ts';
import { createDesk } from '../command/desk/create-desk.ts';
import { createDrafts, draftRecords } from '../command/desk/parts/draft-store.ts';
import type { Incoming } from '../command/desk.ts';
import type { FaceCheckEvent } from '../command/face-check-port.ts';
import { type Caller, isSharedSpeaker, personKey, turnKey } from '../command/place.ts';
import type { Ports } from '../command/ports.ts';
import { aliasRecords } from '../community/aliases/alias-records.ts';
import { approvalRecords, createApprovals } from '../community/approvals/approvals.ts';
import { createApprovalDecisions } from '../community/approvals/approvals-port.ts';
import { createModeratedAliases } from '../community/campaigns/aliases-port.ts';
import { campaignRecords } from '../community/campaigns/campaign-records.ts';
import { createCampaigns } from '../community/campaigns/campaigns.ts';
import { listRecords } from '../community/catalog/catalog.ts';
import { createFilterOrders } from '../community/catalog/filter-order.ts';
import { createSavedFaces, faceRecords } from '../community/faces/saved-faces.ts';
import { createAllowanceOf } from '../community/rules/allowance.ts';
import { createAudit } from '../community/rules/audit.ts';
import { consentRecords, createConsents } from '../community/rules/consent.ts';
import { createLeftCommunities, leftRecords } from '../community/rules/left-communities.ts';
import { createModerators } from '../community/rules/moderators.ts';
import { createReportRecords, reportRecords } from '../community/rules/report-records.ts';
import { createCommunityGate, createCommunityRules, ruleRecords } from '../community/rules/settings.ts';
import { createModeratedSettings } from '../community/rules/settings-port.ts';
import { createCommunityStats } from '../community/stats/community-stats.ts';
import { type Config, hasPlaygroundOwner } from '../config/config.ts';
import type { FaceFinder } from '../faces/finder.ts';
import type { Log } from '../log/log.ts';
import type { FinalJob, Job } from '../orchestrator/job/job.ts';
import { createOrchestrator } from '../orchestrator/orchestrator.ts';
import { durationRecords } from '../orchestrator/schedule/timing.ts';
import type { Decoder } from '../picture/decoder.ts';
import type { Platform } from '../platforms/platforms.ts';
import { createPreviews } from '../previews/previews.ts';
import type { Store } from '../store/tables/store.ts';
import { languages, type Words, wordsFor } from '../words/words.ts';
import { createCommunityWatch } from './community/community-watch.ts';
import { createNames } from './community/filter-names.ts';
import { createStats } from './community/stats-port.ts';
import type { ConnectedService } from './connect-service.ts';
import { explainError } from './explain-error.ts';
import { createGenerate, createPrivacy, createSheet } from './jobs/generate-port.ts';
import { createJobs, summary } from './jobs/jobs-port.ts';
import { createFitResult, createJobPorts } from './jobs/orchestrator-ports.ts';
import { createCredits } from './jobs/usage-port.ts';
import { approvalNoticeRecords, createApprovalNotices } from './notices/approval-notices.ts';
import { ceilingRecords, createCeilingNotices } from './notices/ceiling-notices.ts';
import { createLogChannel } from './notices/log-channel.ts';
import {
  createAliasNotices,
  createCampaignNotices,
  createListTroubles,
  createOwnerNotices,
} from './notices/notices.ts';
import { createOwners } from './notices/owners.ts';
import { createReportDecisions, createReports } from './notices/reports.ts';
import { createFaceCheck } from './photos/face-check-port.ts';
import { createFaces } from './photos/faces-port.ts';
import { createUsePhoto } from './photos/use-photo.ts';
import type { PlatformRegistry } from './platforms/registry.ts';
import type { Services } from './platforms/services.ts';
import type { RetryAfterLoss } from './retry-after-loss.ts';

/** How many of a person's jobs are searched for recent filters; reading one costs a tenth of a millisecond. */
const RECENT_JOBS = 25;

/** Everything between the store and the platforms: community rules, jobs and the desk. Nothing runs until it is started. */
export function createCore(parts: {
  readonly config: Config;
  readonly store: Store;
  readonly members: Members;
  readonly retryAfterLoss: RetryAfterLoss;
  readonly service: ConnectedService;
  readonly decoder: Decoder;
  readonly finder: FaceFinder;
  readonly platforms: PlatformRegistry;
  readonly clock: Clock;
  readonly log: Log;
  readonly finished: (job: FinalJob) => void;
  readonly polled: (lateMs: number) => void;
  readonly refused: (job: Job, reason: string) => void;
  /** The check of a photo found something wrong, or its person chose what to do. */
  readonly faceChecked: (event: FaceCheckEvent) => void;
  /** How long an answer took. */
  readonly answered: (platform: Platform, ms: number) => void;
}) {
  const { config, store, decoder, platforms, clock, log } = parts;
  const { access, client, callsWaiting, downloads } = parts.service;
  const { now } = clock;
  const newId = (): string => randomId(9);
  const { people: owners, words: ownerWords, inConsole } = createOwners(config);
  const usePhoto = createUsePhoto(platforms);
  const basis = { platforms, usePhoto, decoder, owners, ownerWords, clock, log };
  const ownerNotice = createOwnerNotices(basis, store.trouble);

  // The community: permissions, settings, filter names
  const stores = {
    settings: store.keyv('settings', ruleRecords),
    aliases: store.keyv('aliases', aliasRecords),
    campaigns: store.keyv('campaigns', campaignRecords),
    approvals: store.keyv('approvals', approvalRecords),
  };
  const rules = createCommunityRules(stores.settings, now);
  /** The language of a community's log channel. */
  const wordsIn = async (community: string): Promise<Words> => {
    const chosen = await rules.language(community).catch(() => undefined);
    return chosen === undefined ? ownerWords : languages[chosen];
  };
  const consents = createConsents(store.keyv('consent', consentRecords), config.consent === 'required', now);
  const channel = createLogChannel(rules, platforms, clock, log);
  const audit = createAudit(store.audit, channel.tell, now, inConsole);
  const reports = createReportRecords(store.keyv('reports', reportRecords), now);
  const moderators = createModerators(
    owners.map(personKey),
    async (caller, place) => (await platforms.of(place.platform)?.isModerator(caller, place)) ?? false,
    inConsole,
  );
  const allowances = createAllowanceOf(config.user.dailyCredits, config.user.mostDailyCredits);
  const approvalNeeded = config.communities === 'approved';
  const approvals = createApprovals(stores.approvals, now, newId);
  const isUnapproved = async (caller: Caller, community: string): Promise<boolean> =>
    approvalNeeded && !moderators.isOwner(caller) && !(await approvals.isApproved(community));
  const noticeDays = store.keyv('approval-notices', approvalNoticeRecords);
  const askOwners = createApprovalNotices(basis, approvals, noticeDays);
  const gate = createCommunityGate(rules, (caller, { community }) => isUnapproved(caller, community));
  const { aliases, aliasesOf, filterNames, catalogs, resolve } = createNames({
    store: stores.aliases,
    lists: store.keyv('catalogs', listRecords),
    service: access.url,
    client,
    clock,
    isShared: parts.members.isShared,
    onError: createListTroubles(ownerNotice, clock, log),
  });

  const campaigns = createCampaigns(stores.campaigns, {
    aliases,
    zoneOf: rules.timeZone,
    isUnapproved,
    notices: createCampaignNotices(audit, store.audit, platforms, log),
    members: parts.members,
    clock,
    newId,
    onError: (error) => log.warn({ err: error }, 'a campaign could not be carried out; it is tried again'),
  });

  const leftCommunities = createLeftCommunities(store.keyv('left', leftRecords), now);
  const communityWatch = createCommunityWatch({
    platforms,
    leftCommunities,
    approvals,
    rules,
    aliases,
    campaigns,
    grants: store.grants,
    records: Object.values(stores),
    askOwners: approvalNeeded ? askOwners : undefined,
    members: parts.members,
    clock,
    log,
  });

  // Photos are stored only where they are encrypted.
  const faceStore = store.keyv('faces', faceRecords);
  const faces = store.encrypts
    ? createSavedFaces({
        records: faceStore,
        bytes: () => faceStore.bytes(),
        onFull: () => ownerNotice('faces-full'),
        clock,
        newId,
      })
    : undefined;
  const previews = createPreviews({
    downloads,
    decoder,
    clock,
    log,
    ...(access.embedded && { ownOrigin: access.url }),
  });

  // The jobs
  const fitResult = createFitResult(platforms, downloads, decoder);
  const orchestrator = createOrchestrator({
    store,
    members: parts.members,
    models: store.keyv('durations', durationRecords),
    client,
    callsWaiting,
    ports: {
      ...createJobPorts({
        ...basis,
        gate,
        faces,
        aliases,
        fitResult,
        refused: parts.refused,
        aliasBroken: createAliasNotices(channel, audit, { ...basis, wordsIn }),
      }),
      discard: platforms.removeMessage,
      ownerNotice,
      finished: parts.finished,
      polled: parts.polled,
    },
    limits: {
      userConcurrentJobs: config.user.concurrentJobs,
      userWaitingJobs: config.user.waitingJobs,
      userJobsPerMinute: config.user.jobsPerMinute,
      serviceConcurrentJobs: config.generation.concurrentJobs,
      serviceCallsPerSecond: config.generation.callsPerSecond,
      ...defined({ serviceDailyCredits: config.ceilings.service }),
    },
    clock,
    random: Math.random,
    log,
    deadlines: config.deadlines,
    floorsMs: { image: config.floors.imageMs, video: config.floors.videoMs },
  });

  const statsOf = createCommunityStats({
    tallies: store.tallies,
    peopleOn: store.usage.peopleOn,
    idsOf: rules.idsOf,
    timeZoneOf: rules.timeZone,
    aliasesOf,
    catalogs,
    clock,
  });
  const filterOrders = createFilterOrders({
    jobsOf: async (person) =>
      (await orchestrator.mine(person, RECENT_JOBS))
        .filter(({ forget }) => !forget)
        .map((job) => ({ ...summary(job), request: job.request })),
    tallies: store.tallies,
    aliasesOf,
    idsOf: rules.idsOf,
    clock,
    onError: (error) => log.warn({ err: error }, 'the order of filters could not be read'),
  });

  // What commands and buttons can use, bound to their caller
  const services: Services = { ...basis, rules, wordsIn, audit, moderators, gate, faces, orchestrator };
  const settings = createModeratedSettings({
    rules,
    moderators,
    audit,
    allowances,
    grants: store.grants,
    personName: async (user, place) => platforms.of(place.platform)?.personName?.(user, place),
    onDisk: orchestrator.onDisk,
    now,
  });
  const jobs = createJobs({
    ...services,
    client,
    fitResult,
    reported: createReports({ ...services, channel, reports }),
  });
  const { creditsFor, usage } = createCredits(services, allowances, store.grants, config.ceilings.community);
  const facesOf = createFaces(services);
  const finder = config.faceCheck === 'on' ? parts.finder : undefined;
  const faceCheck = createFaceCheck({ ...services, finder, counted: parts.faceChecked });
  const decisions = createReportDecisions(services, reports, settings, jobs);
  const stats = createStats(services, statsOf);
  const moderatedAliases = createModeratedAliases(aliases, campaigns, moderators, audit);
  const approvalDecisions = createApprovalDecisions({
    approvals,
    rules,
    moderators,
    audit,
    gate,
    say: platforms.say,
    isNeeded: approvalNeeded,
    ownerWords,
  });
  const generate = createGenerate({
    services,
    client,
    faces: facesOf,
    creditsFor,
    catalogs,
    ceilingNotices: createCeilingNotices(
      store.keyv('ceilings', ceilingRecords),
      config.ceilings.service,
      ownerNotice,
      log,
    ),
  });
  const portsFor = (incoming: Incoming): Ports => {
    const { caller, place } = incoming;
    const words = wordsFor(caller.locale);
    return {
      isModerator: () => moderators.is(incoming),
      reference: (text, model, catalog) => resolve(text, model, catalog, place.community, words),
      ...generate(incoming, words),
      catalog: {
        ...filterNames.port(place.community, words),
        order: (alone = false) => filterOrders.of(caller, place, alone),
        sheet: createSheet(previews, platforms, incoming),
      },
      jobs: jobs(incoming, words),
      usage: usage(incoming),
      aliases: moderatedAliases(incoming),
      faces: facesOf(incoming, words),
      faceCheck: faceCheck(incoming, words),
      settings: settings(incoming),
      privacy: createPrivacy(services, consents, filterOrders, caller),
      reports: decisions(incoming, words),
      stats: stats(incoming, words),
      approvals: approvalDecisions(incoming, words),
    };
  };

  // The desk: commands, text and button presses from all platforms
  const desk = createDesk({
    commands,
    buttons,
    drafts: createDrafts(store.keyv('drafts', draftRecords)),
    gate,
    askOwners: ({ caller, place }) =>
      askOwners({ place, locale: caller.locale, person: caller.name, asker: turnKey(caller) }),
    knownUsers: config.playground.on ? knownUsers(hasPlaygroundOwner(config)) : [],
    knownNames: filterNames,
    savedFaces: async (caller) => {
      const person = personKey(caller);
      return faces === undefined || isSharedSpeaker(person) ? [] : faces.list(person);
    },
    words: wordsFor,
    portsFor,
    hasJob: async (event) => (await orchestrator.begun(event)) !== undefined,
    shown: orchestrator.shown,
    noticed: communityWatch.noticeUse,
    answered: parts.answered,
    explain: (error, words, caller) => explainError(error, words, caller, now()),
    retryAfterLoss: parts.retryAfterLoss,
    clock,
    newId,
    onError: (error, what) => log.error({ err: error, what }, 'a command could not be completed'),
  });

  return {
    desk,
    portsFor,
    orchestrator,
    rules,
    aliases,
    campaigns,
    catalogs,
    previews,
    audit,
    inConsole,
    settings,
    approvals,
    approvalDecisions,
    platforms,
    allowances,
    communityWatch,
    ownerNotice,
    /** A community got a new id. */
    async migrated(from: string, to: string): Promise<void> {
      await rules.move(from, to);
      // Given under the new id before this was known.
      const first = await rules.first(to);
      for (const { person } of first === to ? [] : await store.grants.list(to))
        await store.grants.follow(to, { community: first, person, at: now() });
      await aliases.move(from, to);
      await campaigns.move(from, to, (id) => aliases.nameOf(to, id));
      await approvals.move(from, to);
      // The platform may have reported first that the bot is no longer in the old one.
      await leftCommunities.over(from);
    },
  };
}
