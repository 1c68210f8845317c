/** Tasks of one key run one after another; keys do not wait for each other. Nothing is kept for an idle key. */
export const createOneAtATime = (): (<T>(key: string, task: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();

  return (key, task) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, mine);
    const tidy = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(tidy, tidy);
    return mine;
  };
};
