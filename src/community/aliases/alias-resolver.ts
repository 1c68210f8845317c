import { keepLatest } from '../../base/keep-latest.ts';
import type { Alias, AliasCalls } from '../../generation-client/aliases.ts';
import type { AliasRecords } from './alias-records.ts';

export type AliasResolver = ReturnType<typeof createAliasResolver>;

const FRESH_MS = 5 * 60_000;
const MAX_CACHED = 5000;

interface Kept {
  readonly until: number;
  readonly change: unknown;
  readonly alias: Promise<Alias>;
}

/** Resolves aliases at use: cached for five minutes, concurrent uses share one call, dropped when a process changes it. */
export function createAliasResolver(
  service: Pick<AliasCalls, 'resolve'>,
  records: Pick<AliasRecords, 'lastChange' | 'noteChange'>,
  now: () => number,
) {
  const kept = new Map<string, Kept>();

  const forget = (id: string): void => void kept.delete(id);

  return {
    async resolve(id: string): Promise<Alias> {
      const change = await records.lastChange(id);
      const known = kept.get(id);
      if (known && known.until > now() && known.change === change) return known.alias;
      const alias = service.resolve(id, { lane: 'submit' });
      const entry = { until: now() + FRESH_MS, change, alias };
      kept.delete(id);
      kept.set(id, entry);
      keepLatest(kept, MAX_CACHED);
      alias.catch(() => {
        if (kept.get(id) === entry) forget(id);
      });
      return alias;
    },
    forget,
    /** It was changed at the service: no process uses what it has cached. */
    async changed(id: string): Promise<void> {
      forget(id);
      await records.noteChange(id, 2 * FRESH_MS);
    },
  };
}
