interface Kept<K> {
  readonly size: number;
  keys(): Iterable<K>;
  delete(key: K): boolean;
}

/** Bounds a Map or a Set: those put in longest ago go first. One put in anew goes last if it is deleted before. */
export const keepLatest = <K>(kept: Kept<K>, most: number): void => {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
};
