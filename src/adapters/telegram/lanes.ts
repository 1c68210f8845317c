/** Work of one lane runs in the order in which it came; lanes do not wait for each other. */
export interface Lanes {
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
}

export const createLanes = (): Lanes => {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(lane, work) {
      const before = last.get(lane);
      const mine = before === undefined ? work() : before.then(work, work);
      const settled = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(lane, settled);
      void settled.then(() => {
        if (last.get(lane) === settled) last.delete(lane);
      });
      return mine;
    },
  };
};
