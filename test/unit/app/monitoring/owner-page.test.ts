import { expect, it } from 'vitest';
import { createSignIn } from '../../../../src/adapters/web/visitors/sign-in.ts';
import { ownerPage } from '../../../../src/app/monitoring/owner-page.ts';
import { soleMember } from '../../../../src/base/sole-member.ts';
import { readConfig } from '../../../../src/config/config.ts';
import type { OrchestratorStats } from '../../../../src/orchestrator/orchestrator.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createRecords } from '../../../fakes/records.ts';

const stats = async (): Promise<OrchestratorStats> => ({
  waiting: 0,
  running: 0,
  steps: 0,
  submissions: 0,
  outages: { key: undefined, token: 'credits' },
});

const mountsFor = (env: Record<string, string>) => {
  const clock = createFakeClock();
  const config = readConfig(env);
  const { password } = config.playground;
  const signIn = password === undefined ? undefined : createSignIn(password, createRecords(), clock);
  return ownerPage({
    config,
    figures: { read: async () => Promise.reject(new Error('away')) },
    stats,
    adapters: [],
    members: soleMember,
    signIn,
    clock,
  });
};

it('shows which half of the service is suspended, and why', async () => {
  const page = await (await mountsFor({})[0]?.app.request('/'))?.text();
  expect(page).toContain('<b>Pictures and filters</b> working');
  expect(page).toContain('<b>Videos and aliases</b> suspended: the service has run out of credits');
});

it('accepts any host name with a password, and only an IP address without one', () => {
  const [open] = mountsFor({});
  const [closed] = mountsFor({ PLAYGROUND_PASSWORD: 'correct-horse' });
  expect([open?.anyHost, closed?.anyHost]).toEqual([false, true]);
});
