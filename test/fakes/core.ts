/**
 * The program without its platforms: the composition root's core on a store in memory and the embedded generation service.
 * It is not started: jobs are accepted and stay as they are.
 */
import type { Adapter } from '../../src/adapters/adapter.ts';
import { openCore } from '../../src/app/core.ts';
import { createFigures } from '../../src/app/figures/figures.ts';
import { createPlatformRegistry } from '../../src/app/platforms/registry.ts';
import { residentsOf } from '../../src/app/platforms/residents.ts';
import { createRetryAfterLoss } from '../../src/app/retry-after-loss.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Members } from '../../src/base/members/members.ts';
import { createDownloads } from '../../src/base/network/download.ts';
import type { JobState } from '../../src/command/jobs-port.ts';
import type { Given } from '../../src/command/option.ts';
import type { Caller } from '../../src/command/place.ts';
import { createAliasRecords } from '../../src/community/aliases/alias-records.ts';
import { readConfig } from '../../src/config/config.ts';
import { createFaceFinder, type FaceFinder } from '../../src/faces/finder.ts';
import { createGenerationClient } from '../../src/generation-client/client.ts';
import { createLog } from '../../src/log/log.ts';
import { isFinal } from '../../src/orchestrator/job/job.ts';
import { createDecoder } from '../../src/picture/decoder.ts';
import { PLATFORMS } from '../../src/platforms/platforms.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/tables/store.ts';
import { idleAdapter } from './adapter.ts';
import { textOf } from './call.ts';
import { patientClock } from './clock.ts';
import { jobWith } from './job.ts';
import { createGenerationService } from './service/service.ts';
import { soleMember } from './sole-member.ts';

/** What `createTestCore` opens. */
export type TestCore = Awaited<ReturnType<typeof createTestCore>>;

/** What differs from a core with open communities, an empty store and no owners. */
export interface TestCoreOptions {
  readonly owners?: readonly string[];
  readonly communities?: 'open' | 'approved';
  /** The address at which the program listens; where other machines reach it, the playground has no owner. */
  readonly host?: string;
  /** The store; without one, it is an empty one in memory. */
  readonly store?: Store;
  /** The answer of all platforms; nobody is a moderator unless a test says so. */
  readonly isModerator?: Adapter['isModerator'];
  readonly forget?: Adapter['forget'];
  readonly say?: Adapter['say'];
  readonly photo?: Adapter['photo'];
  readonly personName?: Adapter['personName'];
  /** The finder of faces; without one, photos are not checked for faces. */
  readonly finder?: FaceFinder;
  readonly onDisk?: () => Promise<void>;
  /** Settings that differ from those of the other tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** The processes on its store, and which errors mean that the connection to it was lost. */
  readonly shared?: { readonly members: Members } & Pick<Store, 'isConnectionLoss'>;
}

/** Opens everything of the program between adapters and service, for tests of how its parts work together. */
export const createTestCore = async ({
  owners = [],
  communities = 'open',
  host = '127.0.0.1',
  store: given,
  isModerator = async () => false,
  forget = async () => undefined,
  say = idleAdapter.say,
  photo = idleAdapter.photo,
  personName = async () => undefined,
  finder,
  onDisk = async () => undefined,
  env = {},
  shared,
}: TestCoreOptions = {}) => {
  const { now } = systemClock;
  const store = given ?? (await openSqliteStore({ path: ':memory:', keys: [] }));
  const config = readConfig({
    CONSENT: 'off',
    FACE_CHECK: finder === undefined ? 'off' : 'on',
    CONTENT_CHECK: 'off',
    OWNERS: owners.join(','),
    COMMUNITIES: communities,
    HTTP_HOST: host,
    USER_WAITING_JOBS: '1000',
    USER_JOBS_PER_MINUTE: '10000',
    USER_DAILY_CREDITS: '1000000',
    ...env,
  });
  const errors: string[] = [];
  const log = createLog({ level: 'error', secrets: [], stream: { write: (line) => errors.push(line) } });
  const service = await createGenerationService();
  const { url: serviceUrl, apiKey, token } = service;
  const whole = createGenerationClient({
    baseUrl: serviceUrl,
    apiKey,
    token,
    videoCredits: config.generation.videoCredits,
  });
  /** The aliases of the service, as they were listed after the latest change. */
  let listed: ReturnType<typeof whole.aliases.list> | undefined;
  const changing =
    <Args extends unknown[], T>(change: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      change(...args).finally(() => {
        listed = undefined;
      });
  const { create, update, delete: remove } = whole.aliases;
  /** The client lists filters without previews, so that nothing is drawn. */
  const client: typeof whole = {
    ...whole,
    aliases: {
      ...whole.aliases,
      create: changing(create),
      update: changing(update),
      delete: changing(remove),
    },
    catalog: async (...args) => (await whole.catalog(...args)).map(({ preview: _, ...entry }) => entry),
    customFilters: async (...args) =>
      (await whole.customFilters(...args)).map((filter) => ({ ...filter, previews: [] })),
  };
  const downloads = createDownloads(serviceUrl, systemClock);
  const decoder = createDecoder({ clock: systemClock });
  const core = openCore({
    config,
    store: { ...store, ...shared, jobs: { ...store.jobs, onDisk } },
    members: shared?.members ?? soleMember,
    retryAfterLoss: createRetryAfterLoss({ ...store, ...shared }, shared?.members ?? soleMember, systemClock),
    service: { access: { url: serviceUrl, embedded: false }, client, callsWaiting: () => 0, downloads },
    decoder,
    finder: finder ?? createFaceFinder(),
    platforms: createPlatformRegistry(
      PLATFORMS.map((platform) => ({
        ...idleAdapter,
        platform,
        isModerator,
        forget,
        say,
        photo,
        personName,
        trouble: () => undefined,
      })),
    ),
    residents: residentsOf(config),
    opened: new AsyncDisposableStack(),
    clock: patientClock,
    log,
    observer: {
      finished: () => undefined,
      polled: () => undefined,
      refused: () => undefined,
      faceChecked: () => undefined,
      contentChecked: () => undefined,
      answered: () => undefined,
      figures: createFigures({
        counts: { take: () => [] },
        records: store.figures,
        usage: store.usage,
        clock: systemClock,
        log,
        writer: 'test',
        members: soleMember,
      }),
    },
  });
  const { desk } = core;
  const { orchestrator } = core.jobs;
  const { rules, approvals } = core.records;
  const { audit, owners: ownersKnown } = core.notices;
  const aliasRecords = createAliasRecords(store.keyv('aliases'));
  const custom = await client.customFilters();
  let events = 0;

  return {
    /** The answer to a command that somebody uses there; `a card`: it made a job. */
    async says(caller: Caller, community: string, line: string, given: Given = {}): Promise<string> {
      events += 1;
      const [command = '', subcommand] = line.split(' ');
      const channel = community.slice(community.lastIndexOf(':') + 1);
      const place = { platform: caller.platform, community, channel, direct: community.includes(':dm:') };
      const asked = { event: `said-${events}`, caller, place, command, given };
      const reply = await desk.command({ ...asked, ...(subcommand !== undefined && { subcommand }) });
      return reply.kind === 'card' ? 'a card' : textOf(reply);
    },
    desk,
    portsFor: core.portsFor,
    requests: core.requests,
    rules,
    migrated: core.communities.migrated,
    approvals,
    inConsole: ownersKnown.inConsole,
    settings: core.communities.settingsPort,
    approvalDecisions: core.communities.approvalsPort,
    /** Lines that were logged as errors. */
    errors: errors as readonly string[],
    /** A custom filter of the service's, for single faces. */
    filter: custom.find(({ model }) => model === 'face')?.id ?? '',
    /** Gives a job another state, as if it had come to it by itself. */
    async become(id: string, state: JobState): Promise<void> {
      const job = await store.jobs.get(id);
      if (job === undefined) throw new Error(`no job ${id}`);
      const result = state === 'done' ? { result: { from: job.caller.platform, ref: '{}' } } : {};
      const ended = isFinal(state) ? { finishedAt: now(), ...result } : {};
      // The store refuses an id that another job has.
      const sent = ['running', 'delivering', 'held', 'done'].includes(state)
        ? { serviceId: `service-${id}` }
        : {};
      await store.jobs.save(job, jobWith({ ...job, ...sent, ...ended, state }));
    },
    /** Deletes the settings of these communities, as if nobody had set anything there. */
    async clearSettings(communities: readonly string[]): Promise<void> {
      const records = store.keyv('settings');
      for (const each of communities) {
        await records.delete(each);
        // Nothing is kept of it in memory either.
        await rules.forget(each, []);
      }
    },
    /** The latest entry of a community's audit trail: who did what. */
    async latest(community: string): Promise<string | undefined> {
      const [line] = await audit.recent(community, 1);
      return line && `${line.actor} ${line.action}`;
    },
    /** Everything that is kept about these communities and jobs, to see whether something changed it. */
    async state(communities: readonly string[], job?: string): Promise<string> {
      listed ??= whole.aliases.list();
      const atService = await listed;
      const each = communities.map(async (community) => [
        await rules.show(community),
        await approvals.isApproved(community),
        await aliasRecords.all(community),
        atService.filter(({ project }) => project === community).map(({ id, filter }) => [id, filter]),
        await audit.recent(community, 3),
        await orchestrator.communityUsage(community),
        await store.grants.list(community),
      ]);
      return JSON.stringify([await Promise.all(each), job && (await orchestrator.get(job))]);
    },
    async close(): Promise<void> {
      await orchestrator.stop();
      await Promise.all([decoder.close(), downloads.close(), client.close()]);
      await service.close();
      await store.close();
    },
  };
};
