import { keepLatest } from '../../base/keep-latest.ts';
import type { Alias } from '../../generation-client/alias-shapes.ts';
import type { AliasCalls } from '../../generation-client/aliases.ts';

export type AliasResolver = ReturnType<typeof createAliasResolver>;

const FRESH_MS = 5 * 60_000;
const MAX_CACHED = 5000;

/** Resolves aliases at use: cached for five minutes, concurrent uses share one call, dropped when changed here. */
export function createAliasResolver(service: Pick<AliasCalls, 'resolve'>, now: () => number) {
  const kept = new Map<string, { readonly until: number; readonly alias: Promise<Alias> }>();

  const forget = (id: string): void => void kept.delete(id);

  return {
    resolve(id: string): Promise<Alias> {
      const known = kept.get(id);
      if (known && known.until > now()) return known.alias;
      const alias = service.resolve(id);
      const entry = { until: now() + FRESH_MS, alias };
      kept.delete(id);
      kept.set(id, entry);
      keepLatest(kept, MAX_CACHED);
      alias.catch(() => {
        if (kept.get(id) === entry) forget(id);
      });
      return alias;
    },
    forget,
  };
}
