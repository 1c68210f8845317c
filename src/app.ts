import { randomBytes } from 'node:crypto';
import { buttons } from '../commands/buttons/index.ts';
import { commands } from '../commands/index.ts';
import type { Adapter } from './adapters/adapter.ts';
import { webRecords } from './adapters/web/records.ts';
import { knownUsers } from './adapters/web/visitors/people.ts';
import { createSignIn } from './adapters/web/visitors/sign-in.ts';
import { createAdapters } from './app/adapters.ts';
import { allOrNothing } from './app/all-or-nothing.ts';
import { openService } from './app/embedded-service.ts';
import { explain } from './app/explain-error.ts';
import { createNames } from './app/filter-names.ts';
import type { Running } from './app/monitoring/banner.ts';
import { createFigures } from './app/monitoring/figures.ts';
import { createJobLog } from './app/monitoring/job-log.ts';
import { createMetrics } from './app/monitoring/metrics.ts';
import { ownerPage } from './app/monitoring/owner-page.ts';
import { createAppReadiness } from './app/monitoring/readiness.ts';
import { createAliasNotices } from './app/notices/alias-notices.ts';
import { createDamageNotices } from './app/notices/damage-notices.ts';
import { createListTroubles } from './app/notices/list-notices.ts';
import { createLogChannel } from './app/notices/log-channel.ts';
import { createOwnerNotices } from './app/notices/owner-notices.ts';
import { createReports } from './app/notices/reports.ts';
import { createOutgoing, ownerAsCaller } from './app/platforms/outgoing.ts';
import { createAdmission } from './app/ports/check-admission.ts';
import { summary } from './app/ports/jobs-port.ts';
import { createFitResult, createJobPorts } from './app/ports/orchestrator-ports.ts';
import { createPortsFor } from './app/ports/ports.ts';
import { type Clock, machineTime, sleep } from './base/clock.ts';
import { createDesk } from './command/desk/create-desk.ts';
import { createDrafts, draftRecords } from './command/desk/draft-store.ts';
import { type Platform, personKey } from './command/place.ts';
import { aliasRecords } from './community/aliases/alias-records.ts';
import { listRecords } from './community/catalog/kept-lists.ts';
import { createAudit } from './community/rules/audit.ts';
import { createGate } from './community/rules/community-gate.ts';
import { consentRecords, createConsents } from './community/rules/consent.ts';
import { createModerators } from './community/rules/moderators.ts';
import { ruleRecords } from './community/rules/rule-book.ts';
import { createCommunityRules } from './community/rules/settings.ts';
import { type Config, ConfigError } from './config/config.ts';
import { createGenerationClient } from './generation-client/client.ts';
import { createHttp } from './http/server.ts';
import type { Log } from './log/log.ts';
import { createDownloads } from './media/download.ts';
import { createOrchestrator } from './orchestrator/orchestrator.ts';
import { durationRecords } from './orchestrator/schedule/model-shape.ts';
import { createCalls } from './orchestrator/service/call-pacing.ts';
import { createDecoder } from './picture/decoder.ts';
import type { RecordRules } from './store/records/keyv-sqlite.ts';
import { openStore } from './store/store.ts';
import { wordsFor } from './words/words.ts';

/** Jobs in hand have had their time before. */
const longestClosingMs = 1_000;
const longestVerifyingMs = 3_000;

/** The composition root: the one place where the parts meet, top to bottom. What is opened last is closed first. */
const joinParts = async (
  config: Config,
  log: Log,
  clock: Clock,
  opened: AsyncDisposableStack,
): Promise<Running> => {
  if (config.store.url.kind === 'redis') {
    throw new ConfigError('STORE_URL: redis:// is not available in this version. Allowed: sqlite:PATH.');
  }
  const now = clock.now;
  const owners = config.owners.map(ownerAsCaller);
  const figures = createFigures(clock);
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);

  // The store and the service
  const damage = createDamageNotices(log);
  const store = openStore({
    path: config.store.url.path,
    keys: config.store.keys,
    now,
    alone: true,
    damaged: damage.found,
    machine: machineTime,
  });
  opened.defer(() => store.close());
  const verified = store.verify();
  // SQLite tidies up when the last one closes the file: that is the store.
  const verifying = verified.catch(() => undefined);
  opened.defer(() => verifying);
  const access = await openService(config, log, clock);
  opened.defer(() => access.close());
  const calls = createCalls(config.generation.callsPerSecond);
  const client = createGenerationClient({
    baseUrl: access.url,
    apiKey: access.apiKey,
    apiKeyHeader: access.apiKeyHeader,
    token: access.token,
    videoCredits: config.generation.videoCredits,
    assumptions: config.generation.assumptions,
    log,
    // As many as there are submissions at once, those of cancelled jobs included: none waits for one that hangs.
    connections: Math.max(64, 4 * config.generation.concurrentJobs),
    pace: (lane, attempt) =>
      calls.pace(lane, async () => {
        metrics.called(lane);
        try {
          return await attempt();
        } catch (error) {
          metrics.callFailed(error);
          figures.callFailed(error);
          throw error;
        }
      }),
  });
  // A service that hangs must not hold us until we are killed: the next start finds what was under way.
  opened.defer(async () => {
    await Promise.race([Promise.all([calls.stop(), client.close()]), sleep(clock, longestClosingMs)]);
  });
  const downloads = createDownloads(access.url, clock);
  opened.defer(() => downloads.close());
  const decoder = createDecoder({ clock });
  opened.defer(() => decoder.close());

  // The platforms, by name; filled below, because they need the desk, which needs them to answer
  const adapters = new Map<Platform, Adapter>();
  const outgoing = createOutgoing(adapters);
  const ownerNotice = createOwnerNotices(owners, outgoing, clock, log);

  // The community: who may do what, under which names
  const rules = createCommunityRules(store.keyv('settings', ruleRecords));
  const gate = createGate(rules);
  const consents = createConsents(store.keyv('consent', consentRecords), config.consent === 'required', now);
  const channel = createLogChannel(rules, outgoing, clock, log);
  const audit = createAudit(store.audit, channel.tell, now);
  const moderators = createModerators(
    owners.map(personKey),
    async (caller, place) => (await adapters.get(place.platform)?.isModerator(caller, place)) ?? false,
  );
  const { aliases, catalogs, references, memory } = createNames({
    store: store.keyv('aliases', aliasRecords),
    lists: store.keyv('catalogs', listRecords),
    service: access.url,
    client,
    clock,
    onError: createListTroubles(ownerNotice, clock, log),
  });

  // The jobs
  const logFailed = createJobLog(log);
  const fitResult = createFitResult({ outgoing, downloads, decoder });
  const orchestrator = createOrchestrator({
    store,
    models: store.keyv('durations', durationRecords),
    client,
    ports: {
      admit: createAdmission(gate),
      ...createJobPorts({
        aliases,
        outgoing,
        fitResult,
        decoder,
        clock,
        finished: (job) => {
          metrics.finished(job);
          figures.finished(job);
          logFailed(job);
        },
        aliasBroken: createAliasNotices(channel, audit, clock, log),
        ownerNotice,
      }),
    },
    limits: {
      userConcurrentJobs: config.user.concurrentJobs,
      userWaitingJobs: config.user.waitingJobs,
      userJobsPerMinute: config.user.jobsPerMinute,
      serviceConcurrentJobs: config.generation.concurrentJobs,
      serviceCallsPerSecond: config.generation.callsPerSecond,
    },
    clock,
    random: Math.random,
    log,
    deadlines: config.deadlines,
    floorsMs: { image: config.floors.imageMs, video: config.floors.videoMs },
  });
  opened.defer(() => orchestrator.stop());
  const metrics = createMetrics(orchestrator.stats, figures, store.damaged);

  // The desk, where people's wishes come in
  const drafts = createDrafts(store.keyv('drafts', draftRecords));
  const desk = createDesk({
    commands,
    buttons,
    drafts,
    gate,
    knownUsers: config.playground.on ? knownUsers : [],
    memory,
    words: wordsFor,
    portsFor: createPortsFor({
      aliases,
      rules,
      moderators,
      audit,
      consents,
      orchestrator,
      outgoing,
      client,
      catalogs,
      references,
      clock,
      fitResult,
      dailyCredits: config.user.dailyCredits,
      resultOf: async ({ request, serviceId }) => {
        const report = await client.status({ endpoint: request.kind, id: serviceId });
        return report.state === 'completed' ? report.output : undefined;
      },
      reported: createReports(outgoing, channel, audit, owners),
    }),
    findJob: async (id) => {
      const job = orchestrator.get(id);
      // Its person asked to be forgotten: it is there only until its card says so.
      if (job === undefined || job.forget) return undefined;
      return { ...summary(job), community: await rules.present(job.place.community) };
    },
    shown: orchestrator.shown,
    explain: (error, words) => explain(error, words, now()),
    clock,
    newId: () => randomBytes(9).toString('base64url'),
    onError: (error, what) => log.error({ err: error, what }, 'a command could not be completed'),
  });

  // The platforms and the web
  const state = (platform: string, rules: RecordRules) => store.keyv(`adapter:${platform}`, rules);
  const { password } = config.playground;
  const signIn = password === undefined ? undefined : createSignIn(password, state('web', webRecords), clock);
  const {
    adapters: made,
    mounts,
    invite,
  } = await createAdapters(config, {
    desk,
    state,
    clock,
    log,
    ownerNotice,
    signIn,
    migrated: async (from, to) => {
      await rules.move(from, to);
      await aliases.move(from, to);
    },
  });
  for (const adapter of made) adapters.set(adapter.platform, adapter);
  const http = await createHttp({
    ...config.http,
    clock,
    log,
    health: () => ({ uptimeSeconds: Math.round(process.uptime()) }),
    ready: createAppReadiness({ store, client, adapters: made, clock, log }),
    metrics: metrics.registry,
    mount: [...ownerPage(config, figures, orchestrator.stats, made, signIn), ...mounts],
  });

  opened.defer(
    async () => void (await Promise.all([http.close(), ...made.map((adapter) => adapter.stop())])),
  );

  // A very large store is looked through while it works.
  await Promise.race([verified, sleep(clock, longestVerifyingMs)]);
  verified.catch((error: unknown) => log.error({ err: error }, 'the store is damaged: nothing is accepted'));
  await orchestrator.start();
  opened.defer(catalogs.start());
  aliases.heal().catch(warn('aliases could not be repaired; the next /alias list retries'));
  await Promise.all(made.map((adapter) => adapter.start()));
  damage.tellBy(() => ownerNotice('damaged-records'));

  return { url: http.url, service: { url: access.url, embedded: access.embedded }, invite };
};

export const startApp = (config: Config, log: Log, clock: Clock) =>
  allOrNothing(log, (opened) => joinParts(config, log, clock, opened));
