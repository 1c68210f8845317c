import type { Clock } from '../../base/clock.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import type { ModelType } from '../../command/request.ts';

export interface AliasName {
  readonly name: string;
  readonly model: ModelType;
  /** The filter that it points to, as far as our own records know. */
  readonly filter?: string | undefined;
}

export type AliasNames = ReturnType<typeof createAliasNames>;

/** A name that another process changed is suggested rightly after this. */
const SHARED_FRESH_MS = 2_000;
/** What this process changes is read again at once. */
const FRESH_MS = 30_000;
const MAX_COMMUNITIES = 2000;

export interface AliasNamesOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Whether other processes change them, too. */
  readonly isShared: boolean;
  readonly onError: (error: unknown) => void;
}

interface Kept {
  names: readonly AliasName[];
  nextAt: number;
  loading: Promise<void> | undefined;
}

/**
 * Cached alias names of communities, for suggestions while a user types. `list` reads our own store, never the service.
 */
export function createAliasNames(
  list: (community: string) => Promise<readonly AliasName[]>,
  { clock, isShared, onError }: AliasNamesOptions,
) {
  const freshMs = isShared ? SHARED_FRESH_MS : FRESH_MS;
  const kept = new Map<string, Kept>();

  const refresh = async (community: string, entry: Kept): Promise<void> => {
    try {
      entry.names = await list(community);
    } catch (error) {
      onError(error);
    }
    entry.nextAt = clock.now() + freshMs;
  };

  const entryOf = (community: string): Kept => {
    const entry = kept.get(community) ?? { names: [], nextAt: 0, loading: undefined };
    // Moved to the end: the least recently used one is dropped first.
    kept.delete(community);
    kept.set(community, entry);
    keepLatest(kept, MAX_COMMUNITIES);
    if (entry.loading === undefined && clock.now() >= entry.nextAt)
      entry.loading = refresh(community, entry).finally(() => {
        entry.loading = undefined;
      });
    return entry;
  };

  return {
    peek: (community: string) => entryOf(community).names,
    /** Waits until they were loaded once. Never throws. */
    load: async (community: string) => entryOf(community).loading,
    /** Reloads the names after a change. */
    changed(community: string): void {
      kept.delete(community);
      entryOf(community);
    },
  };
}
