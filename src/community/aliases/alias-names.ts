import type { Clock } from '../../base/clock.ts';
import { keepLatest } from '../../base/keep-latest.ts';
import type { ModelType } from '../../command/request.ts';

export interface AliasName {
  readonly name: string;
  readonly model: ModelType;
}

/** The alias names of communities, at once and from memory: for suggestions while somebody types. */
export interface AliasNames {
  peek(community: string): readonly AliasName[];
  /** Waits until they have been looked up once. Never throws. */
  load(community: string): Promise<void>;
  /** They have just been changed here: they are looked up at once. */
  changed(community: string): void;
}

const freshMs = 30_000;
const mostCommunities = 2000;

interface Kept {
  names: readonly AliasName[];
  nextAt: number;
  loading: Promise<void> | undefined;
}

/** `list` reads our own store, never the service. */
export const createAliasNames = (
  list: (community: string) => Promise<readonly AliasName[]>,
  clock: Pick<Clock, 'now'>,
  onError: (error: unknown) => void,
): AliasNames => {
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
    // Put back at the end: the one that was not used for longest is the first to go.
    kept.delete(community);
    kept.set(community, entry);
    keepLatest(kept, mostCommunities);
    if (entry.loading === undefined && clock.now() >= entry.nextAt)
      entry.loading = refresh(community, entry).finally(() => {
        entry.loading = undefined;
      });
    return entry;
  };

  return {
    peek: (community) => entryOf(community).names,
    load: async (community) => entryOf(community).loading,
    changed(community) {
      kept.delete(community);
      entryOf(community);
    },
  };
};
