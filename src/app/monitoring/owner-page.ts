import type { Adapter } from '../../adapters/adapter.ts';
import type { SignIn } from '../../adapters/web/visitors/sign-in.ts';
import type { Clock } from '../../base/clock.ts';
import type { MemberInfo, Members } from '../../base/members.ts';
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

function ownerFigures(
  figures: Figures,
  { running, waiting, outages }: OrchestratorStats,
  adapters: readonly Adapter[],
  members: OwnerFigures['members'],
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
    members,
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

export interface OwnerPageParts {
  readonly config: Config;
  readonly figures: Figures;
  readonly stats: () => Promise<OrchestratorStats>;
  readonly adapters: readonly Adapter[];
  readonly members: Pick<Members, 'list'>;
  readonly signIn: SignIn | undefined;
  readonly clock: Clock;
}

export function ownerPage(parts: OwnerPageParts): readonly Mount[] {
  const { config, figures, stats, adapters, members, signIn, clock } = parts;
  if (!hasOwnerPage(config)) return [];
  const show = async () => {
    // Without a session nobody knows the others.
    const all = await members.list().catch(() => []);
    const rows = all.map((member) => memberRow(member, clock.now()));
    return ownerFigures(figures, await stats(), adapters, rows);
  };
  const app = createOwnerPage({ signIn: signIn?.try, figures: show });
  return [{ path: '/owner', app, anyHost: signIn !== undefined }];
}
