import type { Adapter } from '../adapters/adapter.ts';
import type { Clock } from '../base/clock.ts';
import type { MemberInfo, Members } from '../base/members/members.ts';
import type { Audit } from '../community/rules/audit.ts';
import { type Config, hasActivePlatform, hasConsole } from '../config/config.ts';
import { createConsole } from '../console/console.ts';
import { CONSOLE_PATH } from '../console/frame/layout.ts';
import { type CommunityDataDependencies, createCommunityData } from '../console/pages/community-data.ts';
import type { ProgramState } from '../console/pages/now.ts';
import { createOwnerSessions, sessionRecordRules } from '../console/sign-in/sessions.ts';
import type { Mount } from '../http/routes.ts';
import type { Log } from '../log/log.ts';
import type { OrchestratorStats } from '../orchestrator/orchestrator.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { isBackupLate } from '../store/store.ts';
import type { Store } from '../store/tables/store.ts';
import type { Core } from './core.ts';
import type { Figures } from './figures/figures.ts';
import { fingerprintsOfText, textOfFingerprints } from './jobs/fingerprint.ts';
import type { PlatformRegistry } from './platforms/registry.ts';
import type { RetryAfterLoss } from './retry-after-loss.ts';

function memberRow({ id, name, version, startedAt, isAlive, holds, load }: MemberInfo, now: number) {
  return {
    name: `${name} (${id})`,
    version,
    minutes: isAlive ? Math.max(0, Math.round((now - startedAt) / 60_000)) : undefined,
    load: Object.entries(load)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
    holds: holds.join(', '),
  };
}

/** The community of audit lines that are about the console itself. */
const CONSOLE = 'console';

/** Ends the sessions of another password, or of one that is set no more: at the start, before anybody can use one. */
export function endFormerSessions(parts: {
  readonly config: Config;
  readonly store: Pick<Store, 'keyv'>;
  readonly retryAfterLoss: RetryAfterLoss;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
}): Promise<void> {
  const { config, store, retryAfterLoss, clock, log } = parts;
  const { password = '' } = config.playground;
  const sessions = createOwnerSessions(store.keyv(CONSOLE, sessionRecordRules), password, clock.now);
  return retryAfterLoss(sessions.endFormer).catch((error: unknown) =>
    log.warn({ err: error }, 'sessions of a former password could not be deleted; the next start retries'),
  );
}

export interface ConsoleMountDependencies
  extends Omit<CommunityDataDependencies, 'store' | 'approvalNeeded' | 'ceiling'> {
  readonly config: Config;
  readonly store: Pick<
    Store,
    'keyv' | 'jobs' | 'jobSearch' | 'communityList' | 'usage' | 'audit' | 'encrypts' | 'lastBackup'
  >;
  readonly figures: Pick<Figures, 'read' | 'months'>;
  readonly audit: Pick<Audit, 'note'>;
  readonly removals: Pick<Core['jobs']['removals'], 'list' | 'find' | 'undo' | 'remove'>;
  readonly requests: Pick<
    Core['requests'],
    'all' | 'find' | 'candidates' | 'remove' | 'refuse' | 'foundNothing'
  >;
  readonly findResult: Core['jobs']['findResult'];
  readonly readLink: PlatformRegistry['readLink'];
  readonly nearResults: Core['jobs']['nearResults'];
  readonly fingerprint: Core['jobs']['fingerprint'];
  /** Why the store cannot be used at this moment. */
  readonly storeTrouble: () => Promise<string | undefined>;
  readonly stats: () => Promise<OrchestratorStats>;
  readonly adapters: readonly Adapter[];
  readonly members: Pick<Members, 'list'>;
  readonly signIn: SignIn | undefined;
}

/** What owners upload takes its turns at the decoder like one person. */
const TURN = 'console';

/** The owner's console, where there is one. */
export function consoleMount(parts: ConsoleMountDependencies): readonly Mount[] {
  const {
    config,
    store,
    figures,
    storeTrouble,
    stats,
    adapters,
    members,
    audit,
    removals,
    requests,
    signIn,
    clock,
  } = parts;
  if (!hasConsole(config)) return [];
  const { password } = config.playground;

  const backup = async (): Promise<ProgramState['backup']> => {
    const at = await store.lastBackup();
    return at === undefined && !hasActivePlatform(config)
      ? undefined
      : { at, isLate: isBackupLate(at, clock.now()) };
  };
  const present = async (): Promise<ProgramState> => {
    // A process that has lost its session cannot list the others.
    const all = await members.list().catch(() => []);
    const { running, waiting, outages } = await stats();
    const lastHour = await figures.read('hour');
    return {
      at: clock.now(),
      running,
      waiting,
      members: all.map((member) => memberRow(member, clock.now())),
      outages,
      storeTrouble: await storeTrouble(),
      backup: await backup(),
      platforms: adapters.map((adapter) => ({ name: adapter.platform, trouble: adapter.trouble() })),
      errors: lastHour.total.errors,
    };
  };

  const app = createConsole({
    password:
      password === undefined || signIn === undefined ? undefined : { text: password, try: signIn.try },
    state: store.keyv(CONSOLE, sessionRecordRules),
    now: clock.now,
    ownerLanguage: config.ownerLanguage,
    present,
    storeTrouble,
    jobs: { get: store.jobs.get, find: store.jobSearch.find, encrypts: store.encrypts },
    figures: {
      read: figures.read,
      ceiling: config.ceilings.service,
      communityCeiling: config.ceilings.community,
    },
    price: config.creditPrice,
    months: { read: figures.months, ceiling: config.ceilings.month },
    communities: createCommunityData({
      ...parts,
      approvalNeeded: config.communities === 'approved',
      ceiling: config.ceilings.community,
    }),
    removals: {
      list: removals.list,
      find: removals.find,
      async undo({ job, community }) {
        await audit.note(parts.inConsole, { community }, 'moderator.unremove', { job });
        await removals.undo(job, 'console:owner');
      },
      requests: {
        ...requests,
        remove: (id, job) => requests.remove(id, job, parts.inConsole),
        refuse: (id, reason) => requests.refuse(id, reason, parts.inConsole),
        foundNothing: (id) => requests.foundNothing(id, parts.inConsole),
      },
      findResult: async (result) => parts.findResult(await parts.readLink(result.trim()), undefined),
      remove: (job, reason) => removals.remove(job, reason, { caller: parts.inConsole, isOwner: true }),
      async markOf(bytes) {
        const picture = await parts.fingerprint(bytes, TURN);
        return picture && textOfFingerprints(picture);
      },
      async findAlike(mark, after) {
        const picture = fingerprintsOfText(mark);
        return picture && parts.nearResults.part(picture, after);
      },
    },
    async audited(action, detail, work) {
      await audit.note(parts.inConsole, { community: CONSOLE }, action, detail);
      await work();
    },
  });
  return [{ path: CONSOLE_PATH, app, hasSecret: signIn !== undefined }];
}
