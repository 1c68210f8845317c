import type { Adapter } from '../../adapters/adapter.ts';
import type { SignIn } from '../../adapters/web/visitors/sign-in.ts';
import type { Clock } from '../../base/clock.ts';
import type { MemberInfo, Members } from '../../base/members.ts';
import type { Config } from '../../config/config.ts';
import { createOwnerPage, type OwnerFigures } from '../../http/owner-page.ts';
import type { Mount } from '../../http/routes.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { Figures } from '../figures/figures.ts';
import type { Point, RangeFigures } from '../figures/read-figures.ts';

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
  figures: RangeFigures | undefined,
  { running, waiting, outages }: OrchestratorStats,
  adapters: readonly Adapter[],
  members: OwnerFigures['members'],
): OwnerFigures {
  const series = (title: string, unit: string, value: (point: Point) => number) => ({
    title,
    unit,
    values: figures?.points.map(value) ?? [],
  });
  const seconds = (of: Point['tookMs']): number => (of?.p50 ?? 0) / 1000;
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
      series('Jobs that ended without a result', 'jobs', ({ failed, cancelled }) => failed + cancelled),
      series('From request to result', 's', ({ tookMs }) => seconds(tookMs)),
      series('Delay until a result was seen, at most', 's', ({ unseenMs }) => seconds(unseenMs)),
      series('Status calls per job', 'calls', ({ statusCallsPerJob }) => statusCallsPerJob ?? 0),
    ],
    errors: figures?.total.errors ?? [],
    communities: figures?.credits.communities ?? [],
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
  readonly figures: Pick<Figures, 'read'>;
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
    // While the store is away the page still tells how things stand now.
    const lastHour = await figures.read('hour').catch(() => undefined);
    return ownerFigures(lastHour, await stats(), adapters, rows);
  };
  const app = createOwnerPage({ signIn: signIn?.try, figures: show });
  return [{ path: '/owner', app, anyHost: signIn !== undefined }];
}
