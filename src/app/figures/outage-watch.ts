import type { Adapter } from '../../adapters/adapter.ts';
import { type Clock, createRepeat } from '../../base/clock.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { OutageInterval } from '../../store/tables/figures.ts';

/** Something that does not work at the moment. `reason`: one of few; nothing that is written by others. */
export type Failing = Pick<OutageInterval, 'what' | 'reason'>;

const EVERY_MS = 1_000;
/** Shorter outages are not worth an owner's time. */
const SHORTEST_MS = 5_000;
const MOST_ENDED = 100;

/** Checks every second what does not work. */
export function createOutageWatch(clock: Clock, failing: () => readonly Failing[]) {
  const lasting = new Map<string, OutageInterval & { readonly since: number }>();
  let ended: OutageInterval[] = [];

  const check = (): void => {
    const now = clock.now();
    const seen = new Set<string>();
    for (const { what, reason } of failing()) {
      const key = JSON.stringify([what, reason]);
      seen.add(key);
      const { from, since } = lasting.get(key) ?? { from: now, since: now };
      lasting.set(key, { what, reason, from, until: now, since });
    }
    for (const [key, { since, ...interval }] of lasting)
      if (!seen.has(key)) {
        lasting.delete(key);
        if (interval.until - since >= SHORTEST_MS) ended = [...ended, interval].slice(-MOST_ENDED);
      }
  };
  const longLasting = () => [...lasting].filter(([, { until, since }]) => until - since >= SHORTEST_MS);
  /** The outages that `take` would give. */
  const seen = (): readonly OutageInterval[] => [
    ...ended,
    ...longLasting().map(([, { since: _, ...interval }]) => interval),
  ];
  const { start, stop } = createRepeat(clock, EVERY_MS, check);

  return {
    start,
    stop,
    seen,
    /** The outages that were seen since the last call. */
    take(): readonly OutageInterval[] {
      const all = seen();
      ended = [];
      for (const [key, outage] of longLasting()) lasting.set(key, { ...outage, from: outage.until });
      return all;
    },
  };
}

/** Lists whatever this process finds not to work. The reason of a platform is left to the log, because its words are not ours. */
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
