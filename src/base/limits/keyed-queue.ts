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
