import { describe, expect, it } from 'vitest';
import { createReadiness, type ReadinessCheck } from '../../../src/http/readiness.ts';
import { createFakeClock } from '../../fakes/clock.ts';

function readiness(...checks: ReadinessCheck[]) {
  const clock = createFakeClock();
  const errors: string[] = [];
  const ready = createReadiness({
    checks,
    clock,
    timeoutMs: 2_000,
    onError: (name, error) => errors.push(`${name}: ${String(error)}`),
  });
  return { ready, clock, errors };
}

describe('readiness', () => {
  it('tells more about what is ready, and the reason alone of what is not', async () => {
    const detail = () => 'standing by';
    const failing = (): never => {
      throw new Error('secret detail');
    };
    const { ready, errors } = readiness(
      { name: 'store', check: async () => undefined },
      { name: 'discord', check: async () => undefined, detail },
      { name: 'telegram', check: async () => 'not connected', detail },
      { name: 'service', check: failing },
    );
    expect(await ready()).toEqual({
      ready: false,
      checks: {
        store: { ok: true },
        discord: { ok: true, detail: 'standing by' },
        telegram: { ok: false, reason: 'not connected' },
        service: { ok: false, reason: 'the check failed; the log says why' },
      },
    });
    expect(errors).toEqual(['service: Error: secret detail']);
  });

  it('does not wait for a check that never answers', async () => {
    let given: AbortSignal | undefined;
    const check = (signal: AbortSignal): Promise<never> => {
      given = signal;
      return new Promise(() => undefined);
    };
    const { ready, clock } = readiness({ name: 'service', check });
    const answer = ready();
    await clock.advance(2_000);
    const service = { ok: false, reason: 'no answer within 2000 ms' };
    expect(await answer).toEqual({ ready: false, checks: { service } });
    expect(given?.aborted).toBe(true);
  });

  it('checks once for simultaneous callers, and again for later ones', async () => {
    let asked = 0;
    const check = async (): Promise<undefined> => {
      asked += 1;
    };
    const { ready, clock } = readiness({ name: 'store', check });
    await Promise.all([ready(), ready(), ready()]);
    await ready();
    expect(asked).toBe(1);
    await clock.advance(2_000);
    await ready();
    expect(asked).toBe(2);
  });
});
