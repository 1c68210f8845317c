import type { JobRecords } from '../../src/orchestrator/job/records.ts';

/** Records whose calls reach the store, and are answered, after `lag`: each for itself, so in any order. */
export function createLaggingRecords<Records extends JobRecords>(
  records: Records,
  lag: () => Promise<void>,
): Records {
  const late =
    <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await lag();
      try {
        return await ask(...args);
      } finally {
        await lag();
      }
    };
  return {
    ...records,
    accept: late(records.accept),
    get: late(records.get),
    byOrigin: late(records.byOrigin),
    save: late(records.save),
    claim: late(records.claim),
    release: late(records.release),
    take: late(records.take),
    standing: late(records.standing),
    expectedStanding: late(records.expectedStanding),
    counts: late(records.counts),
    nextDue: late(records.nextDue),
    unsettled: late(records.unsettled),
    unfinishedOf: late(records.unfinishedOf),
    ofPerson: late(records.ofPerson),
    remove: late(records.remove),
    returnCredits: late(records.returnCredits),
    retireServiceId: late(records.retireServiceId),
    async *abandoned() {
      for await (const job of records.abandoned()) {
        await lag();
        yield job;
      }
    },
  };
}
