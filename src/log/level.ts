import { pino } from 'pino';

/** Which lines are logged, for all loggers at once. pino's own level is copied into each child when it is made. */
export function createLevel(initial: string) {
  let set = initial;
  /** Debug lines are shown until they are switched off again. */
  let isDebugging = false;
  const current = (): string => (isDebugging ? 'debug' : set);
  let least = numberOf(initial);
  const follow = (): void => {
    least = numberOf(current());
  };
  return {
    current,
    isShown: (level: number): boolean => level >= least,
    set(level: string): void {
      set = level;
      isDebugging = false;
      follow();
    },
    /** To debug, or back to the level that was set. */
    switchDebug(): void {
      isDebugging = !isDebugging && numberOf(set) > numberOf('debug');
      follow();
    },
  };
}

/** `silent` is above all levels. */
function numberOf(level: string): number {
  return pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
}
