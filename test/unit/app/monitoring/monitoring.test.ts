/** The program describes itself in the banner, in /metrics and /readyz, and by the health of its store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFigureCounts } from '../../../../src/app/figures/counts.ts';
import { createFigures } from '../../../../src/app/figures/figures.ts';
import { banner } from '../../../../src/app/monitoring/banner.ts';
import { addGauges, createMetrics } from '../../../../src/app/monitoring/metrics.ts';
import { createAppReadiness, createStoreHealth } from '../../../../src/app/monitoring/readiness.ts';
import { afterAnswersAreSent } from '../../../../src/base/clock.ts';
import type { Members } from '../../../../src/base/members/members.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { GenerationError, type GenerationErrorKind } from '../../../../src/generation-client/wire/errors.ts';
import { createLog } from '../../../../src/log/log.ts';
import type { FinalJob } from '../../../../src/orchestrator/job/job.ts';
import type { OrchestratorStats } from '../../../../src/orchestrator/orchestrator.ts';
import { fileTrouble } from '../../../../src/store/sqlite/file/sqlite-error.ts';
import { openSqliteStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { orderOf } from '../../../contract/store/suite/driver.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { idleOrchestrator } from '../../../fakes/idle-orchestrator.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

let clock: FakeClock;
let lines: string[];

beforeEach(() => {
  clock = createFakeClock(Date.UTC(2026, 0, 5, 12));
  lines = [];
});

const log = createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } });
const disk = { trouble: fileTrouble, jobs: { onDisk: async () => undefined } };
const FULL = 'its file is not writable: is the disk full?';

describe('the banner', () => {
  const shown = (env: Record<string, string>, embedded = true): string =>
    banner(readConfig(env), {
      url: 'http://127.0.0.1:8080',
      service: { url: 'http://127.0.0.1:1', embedded },
      invites: [],
    });

  it.each([
    { what: 'on this machine', env: {}, there: true },
    { what: 'where others come', env: { HTTP_HOST: '0.0.0.0' }, there: false },
    {
      what: 'where others come, with a password',
      env: { HTTP_HOST: '0.0.0.0', PLAYGROUND_PASSWORD: 'password' },
      there: true,
    },
    { what: 'without the playground', env: { PLAYGROUND: 'off' }, there: false },
  ])('the banner shows the owner’s page only if there is one: $what', ({ env, there }) => {
    expect(shown(env).includes('/owner')).toBe(there);
  });

  it('the banner lists only settings that are missing, and shows where Discord’s interactions are expected', () => {
    expect(shown({})).toContain('GENERATION_URL=…');

    const served = shown({ GENERATION_URL: 'http://127.0.0.1:1', GENERATION_API_KEY: 'the-key' }, false);
    expect(served).toContain('DISCORD_TOKEN=…');
    expect(served).not.toContain('GENERATION_URL=…');

    const token = { DISCORD_TOKEN: 'MTAw.fake.discord-token' };
    expect(shown(token)).not.toContain('/discord/interactions');

    const keyed = shown({ ...token, DISCORD_PUBLIC_KEY: 'ab'.repeat(32) });
    expect(keyed).toContain('interactions at http://127.0.0.1:8080/discord/interactions');
  });
});

describe('/metrics', () => {
  const open = (isShared = false) => {
    const members = { ...soleMember, id: () => '7', isShared };
    const metrics = createMetrics(members);
    addGauges(metrics.registry, {
      stats: async () => ({ waiting: 3, running: 2 }),
      outages: () => ({ key: undefined, token: 'credits' }),
      damaged: () => 1,
      callsWaiting: () => 4,
      monthCredits: async () => 120,
      monthCeiling: 500,
      adapters: () => [
        { platform: 'discord', trouble: () => 'not connected' },
        { platform: 'web', trouble: () => undefined },
      ],
      members,
    });
    return { ...metrics, text: () => metrics.registry.metrics() };
  };

  const expectLines = (text: string, ...expected: readonly string[]): void => {
    for (const line of expected) expect(text).toContain(line);
  };

  it('/metrics tells how things stand, by every reason an outage can have', async () => {
    const text = await open(true).text();
    expectLines(
      text,
      'darkroom_jobs{where="waiting",member="7"} 3',
      'darkroom_month_credits{member="7"} 120',
      'darkroom_month_credits_ceiling{member="7"} 500',
      'darkroom_service_outage{credentials="token",reason="credits",member="7"} 1',
      'darkroom_platform_outage{platform="discord",member="7"} 1',
      'darkroom_platform_outage{platform="web",member="7"} 0',
      'darkroom_service_calls_waiting{member="7"} 4',
    );
    // Each of two credentials has four reasons, and one of these eight outages is there.
    expect(text.match(/^darkroom_service_outage\{.*\} 0$/gm)).toHaveLength(7);
  });

  it('/metrics counts jobs by kind and end, with their times, and names neither people nor communities', async () => {
    const metrics = open();
    const base = sampleJob({ createdAt: 1_000_000, credits: 3, charge: 'spent' });
    const times = { submittedAt: 1_004_000, lastLookAt: 1_018_000, finishedAt: 1_020_000, looks: 3 };

    for (const community of ['discord:777777777', 'discord:dm:424242424242']) {
      const place = { ...base.place, community };
      metrics.finished(jobWith({ ...base, ...times, state: 'done', place }) as FinalJob);
    }
    const failed = { failure: { code: 'deadline' }, charge: 'returned', finishedAt: 1 } as const;
    metrics.finished(jobWith({ ...base, ...failed, state: 'failed' }) as FinalJob);
    const text = await metrics.text();
    const { kind } = base.request;

    expectLines(
      text,
      `{kind="${kind}",state="failed",failure="deadline"} 1`,
      `darkroom_credits_spent_total{kind="${kind}"} 6`,
    );

    const sums = [...text.matchAll(/^darkroom_(\w+)_sum\{kind=.*\} (\S+)$/gm)];
    expect(Object.fromEntries(sums.map(([, name, sum]) => [name, Number(sum)]))).toEqual({
      job_duration_seconds: 40,
      job_submission_seconds: 8,
      result_unseen_seconds: 4,
      job_status_calls: 6,
    });
    expect(text).not.toMatch(/777777777|424242424242|Annabella|:dm/);
  });

  it('/metrics has the transactions, also those that fail, and the measures that are reported to it', async () => {
    const metrics = open();

    metrics.answered('web', 2_000);
    const store = await openSqliteStore({ path: ':memory:', keys: [] });
    const jobs = metrics.timed(store.jobs);
    const { job } = await jobs.accept(orderOf(sampleJob({ state: 'opening' })));

    expect(await jobs.get(job.id)).toEqual(job);

    const refused = jobs.accept(orderOf(sampleJob({ state: 'opening' }), { dailyCredits: 0 }));
    await expect(refused).rejects.toThrow();

    store.close();
    metrics.polled(-5);
    metrics.called('poll', 250);
    await new Promise<void>(afterAnswersAreSent);

    expectLines(
      await metrics.text(),
      'darkroom_first_answer_seconds_sum{platform="web"} 2',
      'darkroom_store_transaction_duration_seconds_count{transaction="accept"} 2',
      'darkroom_poll_lateness_seconds_sum 0',
      'darkroom_service_call_duration_seconds_sum{lane="poll"} 0.25',
    );
  });
});

describe('/readyz', () => {
  const open = (more: Partial<Parameters<typeof createAppReadiness>[0]> = {}) => {
    const state = {
      outages: { key: undefined, token: undefined } as OrchestratorStats['outages'],
      isMet: true,
      failing: undefined as GenerationError | undefined,
    };
    const ready = createAppReadiness({
      store: { ...disk, tryToWrite: async () => undefined },
      members: soleMember,
      client: { catalog: async () => (state.failing === undefined ? [] : Promise.reject(state.failing)) },
      orchestrator: {
        outages: () => state.outages,
        outagesMet: () => (state.isMet ? state.outages : idleOrchestrator.outages()),
      },
      credentials: ['key', 'token'],
      adapters: [],
      clock,
      log,
      ...more,
    });
    const check = async () => {
      await clock.advance(5_000);
      return ready();
    };
    const ask = async () => {
      const { ready: isReady, checks } = await check();
      return { isReady, ...checks.service };
    };
    return { state, check, ask };
  };

  it('/readyz is not ready without a session with a store that others share', async () => {
    let isAlive = false;
    const { check } = open({ members: { isAlive: () => isAlive, isShared: true } });
    const checks = { store: { ok: true }, session: { ok: false } };

    expect(await check()).toMatchObject({ ready: false, checks });

    isAlive = true;
    expect(await check()).toMatchObject({ ready: true, checks: { session: { ok: true } } });
  });

  it('/readyz is not ready while the store is not writable, and the details go to the log', async () => {
    let full = true;
    const tryToWrite = async () => (full ? expect.fail('database or disk is full') : undefined);
    const { check } = open({ store: { ...disk, tryToWrite } });

    expect(await check()).toMatchObject({ ready: false, checks: { store: { ok: false, reason: FULL } } });
    expect(lines.join()).toContain('database or disk is full');
    expect(await check()).toMatchObject({ ready: false });
    expect(lines).toHaveLength(1);

    full = false;
    expect(await check()).toMatchObject({ ready: true });

    full = true;
    expect(await check()).toMatchObject({ ready: false });
    expect(lines).toHaveLength(2);
  });

  it('/readyz is not ready while calls are suspended and jobs try the service, and says why', async () => {
    const { state, ask } = open();
    expect(await ask()).toEqual({ isReady: true, ok: true });

    state.outages = { key: 'credentials', token: undefined };
    const reason = 'Pictures and filters are suspended: the service refuses the credentials';
    expect(await ask()).toEqual({ isReady: false, ok: false, reason });

    state.outages = { key: 'credentials', token: 'unavailable' };
    const both = `${reason}; Videos and aliases are suspended: the service is not answering`;
    expect(await ask()).toEqual({ isReady: false, ok: false, reason: both });

    // No job has met the outages, so nobody waits for the service, and the next job tries it again.
    state.isMet = false;
    expect(await ask()).toEqual({ isReady: true, ok: true, detail: both });

    state.outages = { key: undefined, token: undefined };
    expect(await ask()).toEqual({ isReady: true, ok: true });
  });

  it('/readyz is ready without the parts that need credentials which are not set, and names them', async () => {
    const { state, ask } = open({ credentials: ['key'] });

    state.outages = { key: undefined, token: 'credentials' };
    const detail = 'Videos and aliases are suspended: the service refuses the credentials';

    expect(await ask()).toEqual({ isReady: true, ok: true, detail });
  });

  const CREDENTIALS = 'check GENERATION_API_KEY and GENERATION_TOKEN';

  it.each<{ kind: GenerationErrorKind; status: number | undefined; reason: string }>([
    { kind: 'unauthorized', status: 401, reason: `it refuses the credentials: ${CREDENTIALS} (HTTP 401)` },
    { kind: 'unavailable', status: 503, reason: 'it is out of order or overloaded (HTTP 503)' },
    { kind: 'rate-limited', status: 429, reason: 'it is overloaded (HTTP 429)' },
    {
      kind: 'unreachable',
      status: undefined,
      reason: 'it cannot be reached: check GENERATION_URL and the network',
    },
    {
      kind: 'redirected',
      status: 302,
      reason: 'GENERATION_URL redirects: set the address that it redirects to (HTTP 302)',
    },
    { kind: 'aborted', status: undefined, reason: 'the check failed; the log says why' },
  ])(
    '/readyz describes a service that fails ($kind) in plain words, not in the service’s',
    async ({ kind, status, reason }) => {
      const { state, ask } = open();
      const secret = 'http://user:secret@service.test';
      const told = { endpoint: 'catalog', message: secret, detail: secret, mayHaveArrived: true };

      state.failing = new GenerationError({ kind, status, ...told });
      expect(await ask()).toEqual({ isReady: false, ok: false, reason });
    },
  );
});

describe('the health of a store', () => {
  let store: SqliteStore;
  let state: 'well' | 'away' | 'full';
  let isMember: boolean;
  let writes: number;

  beforeEach(async () => {
    store = await openSqliteStore({ path: ':memory:', keys: [], now: clock.now });
    state = 'well';
    isMember = true;
    writes = 0;
  });

  afterEach(() => store.close());

  /** An idle program: nothing else asks the store. */
  const idle = (members: Pick<Members, 'isAlive' | 'isShared'> = soleMember) => {
    const away = new Error('the store is away');
    const health = createStoreHealth({
      store: {
        ...disk,
        tryToReach: () => (state === 'away' ? Promise.reject(away) : Promise.resolve()),
        async tryToWrite() {
          writes += 1;
          if (state !== 'well') throw away;
        },
      },
      members,
      clock,
      log,
    });
    const figures = createFigures({
      counts: createFigureCounts(clock),
      records: {
        ...store.figures,
        add: async (batch) => (state === 'well' ? store.figures.add(batch) : Promise.reject(away)),
      },
      usage: store.usage,
      clock,
      log: { warn: () => undefined },
      writer: 'one',
      members: soleMember,
    });
    health.start();
    figures.start(() => (health.trouble() === undefined ? [] : [{ what: 'store' }]));
    const stop = async (): Promise<void> => {
      health.stop();
      await figures.stop();
    };
    return { health, stop, outages: async () => (await figures.read('hour')).outages };
  };

  it.each([
    { how: 'away', most: 2_000 },
    // Whether it can be written to is tried less often than whether it is there.
    { how: 'full', most: 61_000 },
  ] as const)(
    'an outage of an idle store ($how) is in the timeline, from begin to end',
    async ({ how, most }) => {
      const { health, outages, stop } = idle();

      await clock.advance(60_000);
      const begin = clock.now();
      state = how;
      await clock.advance(45_000);

      expect(health.trouble()).toBe(FULL);
      expect(lines).toEqual([expect.stringContaining('the store cannot be used')]);

      const end = clock.now();
      state = 'well';
      await clock.advance(10_000);
      expect(health.trouble()).toBeUndefined();

      const rows = await store.figures.read('day', 0, clock.now());
      const [outage, ...more] = rows.flatMap((row) => row.outages);
      expect(outage?.what).toBe('store');
      expect(more).toEqual([]);
      expect((outage?.from ?? 0) - begin).toBeLessThanOrEqual(most);
      expect(Math.abs((outage?.until ?? 0) - end)).toBeLessThanOrEqual(2_000);
      expect(await outages()).toMatchObject([{ what: 'store', isOver: true }]);

      await stop();
    },
  );

  it('the health of a store is told at once to those who ask, also after a lost session', async () => {
    const { health, stop } = idle({ isAlive: () => isMember, isShared: true });
    expect(await health.ask()).toBeUndefined();

    isMember = false;
    await clock.advance(1_000);
    expect(await health.ask()).toMatch(/^the session with the database was lost/);

    state = 'full';
    await clock.advance(1_000);
    expect(await health.ask()).toBe(FULL);

    await stop();
  });

  it('the health of a store is checked by a write once a minute at most, and not at all when it was stopped', async () => {
    const { stop } = idle();
    await clock.advance(600_000);
    expect(writes).toBeGreaterThan(8);

    await stop();
    await clock.advance(60_000);
    expect(writes).toBeLessThanOrEqual(10);
  });
});
