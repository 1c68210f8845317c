import { expect, it } from 'vitest';
import { createFigures } from '../../../src/app/figures.ts';
import { ownerPage } from '../../../src/app/owner-page.ts';
import { readConfig } from '../../../src/config.ts';
import type { OrchestratorStats } from '../../../src/orchestrator/orchestrator.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const stats = (): OrchestratorStats => ({
  waiting: 0,
  running: 0,
  steps: 0,
  submissions: 0,
  outages: { key: undefined, token: 'credits' },
});

const answerTo = async (host: string, env: Record<string, string> = {}): Promise<Response | undefined> => {
  const clock = createFakeClock();
  const [mount] = ownerPage(readConfig(env), createFigures(clock), stats, [], clock);
  const socket = { incoming: { socket: { localAddress: '127.0.0.1', remoteAddress: '127.0.0.1' } } };
  return mount?.app.request('/', { headers: { host } }, socket);
};
const statusFor = async (...asked: Parameters<typeof answerTo>): Promise<number | undefined> =>
  (await answerTo(...asked))?.status;

it('says in words which half of the service waits, and why', async () => {
  const page = await (await answerTo('localhost'))?.text();
  expect(page).toContain('<b>Pictures and filters</b> no trouble');
  expect(page).toContain('<b>Videos and aliases</b> wait: the service has run out of credits');
});

it('without a password is open to this machine’s own names alone: no foreign page can point its name here', async () => {
  expect(await statusFor('127.0.0.1:8080')).toBe(200);
  expect(await statusFor('localhost:8080')).toBe(200);
  expect(await statusFor('evil.example:8080')).toBe(421);
  expect(await statusFor('127.0.0.1.evil.example')).toBe(421);
});

it('with a password may have any name', async () => {
  expect(await statusFor('darkroom.example', { PLAYGROUND_PASSWORD: 'correct-horse' })).toBe(401);
});
