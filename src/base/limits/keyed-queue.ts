/** Tasks with the same key run one after another; different keys run in parallel. */
export function createKeyedQueue(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();

  return (key, task) => {
    const before = last.get(key);
    const mine = before === undefined ? task() : before.then(task, task);
    last.set(key, mine);
    const tidy = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(tidy, tidy);
    return mine;
  };
}

/** One run at a time for each key; callers during a run share the next one. */
export function createSharedRuns<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const inTurn = createKeyedQueue();
  const waiting = new Map<string, Promise<T>>();

  return (key, work) => {
    let isWaiting = true;
    const begin = (): Promise<T> => {
      isWaiting = false;
      waiting.delete(key);
      return work();
    };
    const run = waiting.get(key) ?? inTurn(key, begin);
    if (isWaiting) waiting.set(key, run);
    return run;
  };
}
