import type { Adapter } from '../../adapters/adapter.ts';
import type { SignIn } from '../../adapters/web/visitors/sign-in.ts';
import type { Config } from '../../config/config.ts';
import { createOwnerPage, type OwnerFigures } from '../../http/owner-page.ts';
import type { Mount } from '../../http/routes.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { Figures, Minute } from './figures.ts';

function perDone(of: (minute: Minute) => number) {
  return (minute: Minute) => (minute.done === 0 ? 0 : of(minute) / minute.done);
}

const REASONS = {
  unavailable: 'the service is not answering',
  credits: 'the service has run out of credits',
  credentials: 'the service refuses the credentials',
  address: 'GENERATION_URL redirects',
} as const;

function heldBack(outage: OrchestratorStats['outages']['key']): string | undefined {
  return outage === undefined ? undefined : `suspended: ${REASONS[outage]}`;
}

function ownerFigures(
  figures: Figures,
  { running, waiting, outages }: OrchestratorStats,
  adapters: readonly Adapter[],
): OwnerFigures {
  const minutes = figures.minutes();
  const series = (title: string, unit: string, value: (minute: Minute) => number) => ({
    title,
    unit,
    values: minutes.map(value),
  });
  return {
    running,
    waiting,
    service: [
      { name: 'Pictures and filters', trouble: heldBack(outages.key) },
      { name: 'Videos and aliases', trouble: heldBack(outages.token) },
    ],
    platforms: adapters.map((adapter) => ({ name: adapter.platform, trouble: adapter.trouble() })),
    series: [
      series('Jobs done per minute', 'jobs', ({ done }) => done),
      series('Jobs that ended without a result', 'jobs', ({ failed }) => failed),
      series(
        'From request to result',
        's',
        perDone(({ tookMs }) => tookMs / 1000),
      ),
      series(
        'Delay until a result was seen, at most',
        's',
        perDone(({ unseenMs }) => unseenMs / 1000),
      ),
      series(
        'Status calls per job',
        'calls',
        perDone(({ polls }) => polls),
      ),
    ],
    errors: figures.errors(),
    communities: figures.communities(),
  };
}

const THIS_MACHINE = ['127.0.0.1', '::1', 'localhost'];

/** Without a password only where nobody else can reach it: on this machine, with no platform connected. */
export function hasOwnerPage({
  playground: { on, password },
  http,
}: Pick<Config, 'playground' | 'http'>): boolean {
  return password !== undefined || (on && THIS_MACHINE.includes(http.host));
}

export function ownerPage(
  config: Config,
  figures: Figures,
  stats: () => Promise<OrchestratorStats>,
  adapters: readonly Adapter[],
  signIn: SignIn | undefined,
): readonly Mount[] {
  if (!hasOwnerPage(config)) return [];
  const show = async () => ownerFigures(figures, await stats(), adapters);
  const app = createOwnerPage({ signIn: signIn?.try, figures: show });
  return [{ path: '/owner', app, anyHost: signIn !== undefined }];
}
