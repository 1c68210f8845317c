import { describe, expect, it } from 'vitest';
import { createAppReadiness } from '../../../../src/app/monitoring/readiness.ts';
import { GenerationError, type GenerationErrorKind } from '../../../../src/generation-client/wire/errors.ts';
import { createLog } from '../../../../src/log/log.ts';
import type { OrchestratorStats } from '../../../../src/orchestrator/orchestrator.ts';
import { fileTrouble } from '../../../../src/store/sqlite/file/sqlite-error.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { idleOrchestrator } from '../../../fakes/idle-orchestrator.ts';

const stage = (more: Partial<Parameters<typeof createAppReadiness>[0]> = {}) => {
  const state = {
    outages: { key: undefined, token: undefined } as OrchestratorStats['outages'],
    isMet: true,
    failing: undefined as GenerationError | undefined,
  };
  const clock = createFakeClock();
  const ready = createAppReadiness({
    store: {
      tryToWrite: async () => undefined,
      trouble: String,
      jobs: { onDisk: async () => undefined },
    },
    client: {
      async catalog() {
        if (state.failing !== undefined) throw state.failing;
        return [];
      },
    },
    orchestrator: {
      outages: () => state.outages,
      outagesMet: () => (state.isMet ? state.outages : idleOrchestrator.outages()),
    },
    credentials: ['key', 'token'],
    adapters: [],
    clock,
    log: createLog({ level: 'silent', secrets: [] }),
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

it('is not ready without a session with a store that others share', async () => {
  let isAlive = false;
  const { check } = stage({ members: { isAlive: () => isAlive } });
  expect(await check()).toMatchObject({
    ready: false,
    checks: { store: { ok: true }, session: { ok: false } },
  });
  isAlive = true;
  expect(await check()).toMatchObject({ ready: true, checks: { session: { ok: true } } });
});

it('is not ready while the store is not writable; details go to the log', async () => {
  let full = true;
  const lines: string[] = [];
  const { check } = stage({
    store: {
      async tryToWrite() {
        if (full) throw new Error('database or disk is full');
      },
      trouble: fileTrouble,
      jobs: { onDisk: async () => undefined },
    },
    log: createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } }),
  });
  const reason = 'its file is not writable: is the disk full?';
  expect(await check()).toMatchObject({ ready: false, checks: { store: { ok: false, reason } } });
  expect(lines.join()).toContain('database or disk is full');
  expect(await check()).toMatchObject({ ready: false });
  expect(lines).toHaveLength(1);
  full = false;
  expect(await check()).toMatchObject({ ready: true });
  full = true;
  expect(await check()).toMatchObject({ ready: false });
  expect(lines).toHaveLength(2);
});

describe('the service', () => {
  it('is not ready while calls are suspended and jobs try it, and says why', async () => {
    const { state, ask } = stage();
    expect(await ask()).toEqual({ isReady: true, ok: true });
    state.outages = { key: 'credentials', token: undefined };
    const reason = 'Pictures and filters are suspended: the service refuses the credentials';
    expect(await ask()).toEqual({ isReady: false, ok: false, reason });
    state.outages = { key: 'credentials', token: 'unavailable' };
    const both = `${reason}; Videos and aliases are suspended: the service is not answering`;
    expect(await ask()).toEqual({ isReady: false, ok: false, reason: both });
    // Nobody tries it again before the next job.
    state.isMet = false;
    expect(await ask()).toEqual({ isReady: true, ok: true, detail: both });
    state.outages = { key: undefined, token: undefined };
    expect(await ask()).toEqual({ isReady: true, ok: true });
  });

  it('is ready without what needs credentials that are not set, and tells of it', async () => {
    const { state, ask } = stage({ credentials: ['key'] });
    state.outages = { key: undefined, token: 'credentials' };
    const detail = 'Videos and aliases are suspended: the service refuses the credentials';
    expect(await ask()).toEqual({ isReady: true, ok: true, detail });
  });

  it.each<[GenerationErrorKind, number | undefined, string]>([
    [
      'unauthorized',
      401,
      'it refuses the credentials: check GENERATION_API_KEY and GENERATION_TOKEN (HTTP 401)',
    ],
    ['unavailable', 503, 'it is out of order or overloaded (HTTP 503)'],
    ['rate-limited', 429, 'it is overloaded (HTTP 429)'],
    ['unreachable', undefined, 'it cannot be reached: check GENERATION_URL and the network'],
    ['redirected', 302, 'GENERATION_URL redirects: set the address that it redirects to (HTTP 302)'],
    ['aborted', undefined, 'the check failed; the log says why'],
  ])('that fails (%s) is told in plain words, not in its own', async (kind, status, reason) => {
    const { state, ask } = stage();
    const secret = 'http://user:secret@service.test';
    state.failing = new GenerationError({
      ...{ kind, status, endpoint: 'catalog', message: secret, detail: secret, mayHaveArrived: true },
    });
    expect(await ask()).toEqual({ isReady: false, ok: false, reason });
  });
});
