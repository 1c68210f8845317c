import { byStage, type DurationModel, MOST_SCOUTS, MOST_SEEN, type Seen } from './durations.ts';
import { addScores } from './estimate.ts';

/**
 * What other processes have learned and stored, with what this one has learned (`own`) since it had `base` from the store.
 * Observations are compared by identity: `own` was made from `base`.
 */
export function merge(stored: DurationModel | undefined, base: DurationModel, own: DurationModel) {
  if (stored === undefined) return own;
  const isMovedHere = own.moves !== base.moves;
  const isMoved = stored.moves !== base.moves;
  // What all learned before a change is forgotten, but for its shape.
  if (isMovedHere && !isMoved) return own;
  const known = new Set<Seen>([...base.seen, ...(base.scouts ?? [])]);
  const added = (list: readonly Seen[]): Seen[] => list.filter((one) => !known.has(one));
  const seen = added(own.seen);
  // After a change, those of the old shape are among the scouts.
  const scouts = isMovedHere ? [] : added(own.scouts ?? []);
  const lessons = seen.length + scouts.length;
  const beliefs = byStage((stage) =>
    isMoved || lessons === 0
      ? stored.beliefs[stage]
      : addScores(stored.beliefs[stage], base.beliefs[stage], own.beliefs[stage], lessons),
  );
  return {
    ...stored,
    beliefs,
    seen: [...stored.seen, ...seen].slice(-MOST_SEEN),
    scouts: [...(stored.scouts ?? []), ...scouts].slice(-MOST_SCOUTS),
    scoutsWanted: Math.max(0, (stored.scoutsWanted ?? MOST_SCOUTS) - scouts.length),
    // A suspicion counts against the model that it arose from.
    drift: isMoved ? [] : (own.drift ?? []),
  };
}
