import type { Adapter } from '../../adapters/adapter.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { Failing } from './outage-watch.ts';

/** What this process finds not to work. Why a platform does not is in the log: its words are not ours. */
export function failing(
  outages: OrchestratorStats['outages'],
  adapters: Iterable<Pick<Adapter, 'platform' | 'trouble'>>,
  storeTrouble: string | undefined,
): readonly Failing[] {
  const service = Object.entries(outages).flatMap(([credentials, reason]) =>
    reason === undefined ? [] : [{ what: `service-${credentials}`, reason }],
  );
  const platforms = [...adapters].flatMap((adapter) =>
    adapter.trouble() === undefined ? [] : [{ what: adapter.platform }],
  );
  return [...service, ...platforms, ...(storeTrouble === undefined ? [] : [{ what: 'store' }])];
}
