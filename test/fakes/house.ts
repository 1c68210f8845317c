/**
 * The program without its platforms: the real desk, commands, buttons, ports, rules, records and jobs, on a store in
 * memory and the embedded generation service. Jobs are accepted and stay as they are: nothing runs them.
 */
import { randomBytes } from 'node:crypto';
import { buttons } from '../../commands/buttons/index.ts';
import { commands } from '../../commands/index.ts';
import type { Adapter } from '../../src/adapters/adapter.ts';
import { explain } from '../../src/app/explain-error.ts';
import { createNames } from '../../src/app/filter-names.ts';
import { createOutgoing } from '../../src/app/platforms/outgoing.ts';
import { summary } from '../../src/app/ports/jobs-port.ts';
import { createPortsFor } from '../../src/app/ports/ports.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createDesk } from '../../src/command/desk/create-desk.ts';
import { createDrafts, draftRecords } from '../../src/command/desk/draft-store.ts';
import type { Desk } from '../../src/command/desk.ts';
import type { Caller, Place, Platform } from '../../src/command/place.ts';
import type { JobState } from '../../src/command/ports.ts';
import { createAudit } from '../../src/community/rules/audit.ts';
import { createGate } from '../../src/community/rules/community-gate.ts';
import { consentRecords, createConsents } from '../../src/community/rules/consent.ts';
import { createModerators } from '../../src/community/rules/moderators.ts';
import { type CommunityRules, createCommunityRules } from '../../src/community/rules/settings.ts';
import { createGenerationClient } from '../../src/generation-client/client.ts';
import { createGenerationService } from '../../src/generation-service/service.ts';
import { createLog } from '../../src/log/log.ts';
import { isFinal } from '../../src/orchestrator/job/job.ts';
import { createOrchestrator } from '../../src/orchestrator/orchestrator.ts';
import { openStore } from '../../src/store/store.ts';
import { wordsFor } from '../../src/words/words.ts';
import { jobWith } from './job.ts';

export interface House {
  readonly desk: Desk;
  readonly rules: CommunityRules;
  readonly errors: readonly unknown[];
  /** A custom filter of the service's, for single faces. */
  readonly filter: string;
  /** Everything that is kept about these communities and jobs, to see whether something changed it. */
  state(communities: readonly string[], job?: string): Promise<string>;
  /** Gives a job another state, as if it had come to it by itself. */
  become(job: string, state: JobState): void;
  /** The latest entry of a community's audit trail: who did what. */
  latest(community: string): string | undefined;
  close(): Promise<void>;
}

const many = 1_000_000;

export const createHouse = async (
  owners: readonly string[],
  askPlatform: (caller: Caller, place: Place) => Promise<boolean>,
  adapters: ReadonlyMap<Platform, Adapter> = new Map(),
  onDisk: () => Promise<void> = async () => undefined,
): Promise<House> => {
  const { now } = systemClock;
  const log = createLog({ level: 'silent', secrets: [] });
  const errors: unknown[] = [];
  const service = await createGenerationService();
  const { url: baseUrl, apiKey, token } = service;
  const client = createGenerationClient({ baseUrl, apiKey, token });
  const store = openStore({ path: ':memory:', keys: [] });
  const outgoing = createOutgoing(adapters);
  const rules = createCommunityRules(store.keyv('settings'));
  const audit = createAudit(store.audit, () => undefined, now);
  const { records, aliases, catalogs, references, memory } = createNames({
    store: store.keyv('aliases'),
    lists: store.keyv('catalogs'),
    service: baseUrl,
    client,
    clock: systemClock,
    onError: (error) => errors.push(error),
  });
  const orchestrator = createOrchestrator({
    store: { ...store, jobs: { ...store.jobs, onDisk } },
    models: store.keyv('durations'),
    client,
    ports: {
      resolve: async ({ id }) => id,
      photo: async () => ({ url: 'https://photo.invalid/' }),
      draw: async () => ({ state: 'gone' }),
    },
    limits: {
      userConcurrentJobs: 1,
      userWaitingJobs: many,
      userJobsPerMinute: many,
      serviceConcurrentJobs: 1,
      serviceCallsPerSecond: 1,
    },
    clock: systemClock,
    random: Math.random,
    log,
  });
  const drafts = createDrafts(store.keyv('drafts', draftRecords));
  const desk = createDesk({
    commands,
    buttons,
    drafts,
    gate: createGate(rules),
    memory,
    words: wordsFor,
    portsFor: createPortsFor({
      aliases,
      rules,
      moderators: createModerators(owners, askPlatform),
      audit,
      consents: createConsents(store.keyv('consent', consentRecords), false, now),
      orchestrator,
      outgoing,
      client,
      catalogs,
      references,
      clock: systemClock,
      fitResult: async () => 'unusable',
      dailyCredits: many,
      resultOf: async () => undefined,
      reported: async (job, { caller }) => audit.note(caller, job.place, 'job.report', { job: job.id }),
    }),
    findJob: async (id) => {
      const job = orchestrator.get(id);
      return job && summary(job);
    },
    shown: async () => undefined,
    explain: (error, words) => explain(error, words, now()),
    clock: systemClock,
    newId: () => randomBytes(9).toString('base64url'),
    onError: (error) => errors.push(error),
  });
  const custom = await client.customFilters();

  return {
    desk,
    rules,
    errors,
    filter: custom.find(({ model }) => model === 'face')?.id ?? '',
    become(id, state) {
      const job = store.jobs.get(id);
      if (job === undefined) throw new Error(`no job ${id}`);
      const result = state === 'done' ? { result: { from: job.caller.platform, ref: '{}' } } : {};
      const ended = isFinal(state) ? { finishedAt: now(), ...result } : {};
      store.jobs.save(job, jobWith({ ...job, ...ended, state }));
    },
    latest(community) {
      const [line] = audit.recent(community, 1);
      return line && `${line.actor} ${line.action}`;
    },
    async state(communities, job) {
      const atService = await client.aliases.list();
      const each = communities.map(async (community) => [
        await rules.show(community),
        await records.all(community),
        atService.filter(({ project }) => project === community).map(({ id, filter }) => [id, filter]),
        audit.recent(community, 3),
        orchestrator.communityUsage(community),
      ]);
      return JSON.stringify([await Promise.all(each), job && orchestrator.get(job)]);
    },
    async close() {
      await orchestrator.stop();
      await client.close();
      await service.close();
      store.close();
    },
  };
};
