/** Bounds a Map or a Set by removing the oldest entries. Delete an entry before setting it again to make it the newest. */
export function keepLatest<K>(kept: Map<K, unknown> | Set<K>, most: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(oldest);
  }
}
