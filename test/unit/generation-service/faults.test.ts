import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { HttpFault, ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';

let service: GenerationService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const start = async (script: ServiceScript) => {
  service = await createGenerationService({ script });
  return service;
};
const list = ({ url, apiKey }: GenerationService, path = '/v6/filters', signal: AbortSignal | null = null) =>
  fetch(url + path, { headers: { 'x-api-key': apiKey }, signal });
const faulty = (fault: HttpFault, times = 1): ServiceScript => ({ http: [{ times, fault }] });

describe('scripted HTTP faults', () => {
  it('answers with a status, headers and a body', async () => {
    const running = await start(
      faulty({ kind: 'status', status: 429, body: 'slow down', headers: { 'retry-after': '7' } }),
    );
    const answer = await list(running);
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
      429,
      '7',
      'slow down',
    ]);
    expect((await list(running)).status).toBe(200);
  });

  it('answers with garbage', async () => {
    const answer = await list(await start(faulty({ kind: 'garbage' })));
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow();
  });

  it('resets the connection', async () => {
    const running = await start(faulty({ kind: 'reset' }));
    await expect(list(running)).rejects.toThrow();
    expect((await list(running)).status).toBe(200);
  });

  it('hangs until the client closes the connection', async () => {
    const running = await start(faulty({ kind: 'hang' }));
    const patience = new AbortController();
    const hanging = list(running, '/v6/filters', patience.signal);
    while (running.calls()['GET /v6/filters'] === undefined) await new Promise((done) => setImmediate(done));
    patience.abort();
    await expect(hanging).rejects.toThrow();
    expect((await list(running)).status).toBe(200);
  });

  it('can close while a call hangs', async () => {
    const running = await start(faulty({ kind: 'hang' }));
    const hanging = list(running).catch(() => 'ended');
    while (running.calls()['GET /v6/filters'] === undefined) await new Promise((done) => setImmediate(done));
    await running.close();
    expect(await hanging).toBe('ended');
  });

  it('only delays', async () => {
    expect((await list(await start(faulty({ kind: 'delay', delayMs: 5 })))).status).toBe(200);
  });

  it('does the work and drops the response', async () => {
    const running = await start({
      http: [{ operation: 'POST /api/alias', times: 1, fault: { kind: 'reset', when: 'after' } }],
    });
    const headers = { authorization: `Bearer ${running.token}`, 'x-api-key': running.apiKey };
    const answer = await fetch(`${running.url}/v1/users/me/my-custom-filters`, { headers });
    const [filter] = z.array(z.object({ uuid: z.string() })).parse(await answer.json());
    const body = JSON.stringify({ ai_filter: filter?.uuid });
    await expect(fetch(`${running.url}/api/alias/`, { method: 'POST', headers, body })).rejects.toThrow();
    expect(await (await fetch(`${running.url}/api/alias/`, { headers })).json()).toHaveLength(1);
  });

  it('selects calls by operation, skip and times', async () => {
    const running = await start({
      http: [{ operation: /^GET \/v5/, skip: 1, times: 2, fault: { kind: 'status', status: 503 } }],
    });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await list(running, '/v5/filters')).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect((await list(running)).status).toBe(200);
  });

  it('passes the operation and its count to a function', async () => {
    const running = await start({
      http: ({ operation, count }) =>
        operation === 'GET /v6/filters' && count === 2 ? { kind: 'status', status: 500 } : undefined,
    });
    expect([(await list(running)).status, (await list(running)).status]).toEqual([200, 500]);
    expect(running.calls()).toEqual({ 'GET /v6/filters': 2 });
  });

  it('counts unknown paths under one name', async () => {
    const running = await start({});
    await list(running, '/a');
    await list(running, '/b');
    expect(running.calls()).toEqual({ unknown: 2 });
  });
});
