import type { Clock } from '../clock.ts';
import type { ModelType } from '../command/request.ts';

export interface AliasName {
  readonly name: string;
  readonly model: ModelType;
}

/** The alias names of communities, at once and from memory: for suggestions while somebody types. */
export interface AliasNames {
  peek(community: string): readonly AliasName[];
  /** They have just been changed here: look again at the next use. */
  changed(community: string): void;
}

const freshMs = 30_000;
const mostCommunities = 2000;

interface Kept {
  names: readonly AliasName[];
  nextAt: number;
  loading: boolean;
}

/** `list` reads our own store, never the service. */
export const createAliasNames = (
  list: (community: string) => Promise<readonly AliasName[]>,
  clock: Pick<Clock, 'now'>,
  onError: (error: unknown) => void,
): AliasNames => {
  const kept = new Map<string, Kept>();

  const refresh = (community: string, entry: Kept): void => {
    entry.loading = true;
    list(community)
      .then(
        (names) => {
          entry.names = names;
        },
        (error: unknown) => onError(error),
      )
      .finally(() => {
        entry.loading = false;
        entry.nextAt = clock.now() + freshMs;
      });
  };

  return {
    peek(community) {
      const entry = kept.get(community) ?? { names: [], nextAt: 0, loading: false };
      // Put back at the end: the one that was not used for longest is the first to go.
      kept.delete(community);
      kept.set(community, entry);
      const [oldest] = kept.keys();
      if (kept.size > mostCommunities && oldest !== undefined) kept.delete(oldest);
      if (!entry.loading && clock.now() >= entry.nextAt) refresh(community, entry);
      return entry.names;
    },
    changed(community) {
      kept.delete(community);
    },
  };
};
