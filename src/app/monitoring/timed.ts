import { machineTime } from '../../base/clock.ts';
import type { JobRecords } from '../../orchestrator/job/records.ts';

/** Jobs in the store, with the time that the transactions take which people wait for. */
export function timedJobs(jobs: JobRecords, stored: (transaction: string, ms: number) => void): JobRecords {
  const of = async <T>(transaction: string, work: () => Promise<T>): Promise<T> => {
    const begunAt = machineTime.passed();
    try {
      return await work();
    } finally {
      stored(transaction, machineTime.passed() - begunAt);
    }
  };
  return {
    ...jobs,
    accept: (order) => of('accept', () => jobs.accept(order)),
    save: (...change) => of('save', () => jobs.save(...change)),
    claim: (...which) => of('claim', () => jobs.claim(...which)),
    take: (options) => of('take', () => jobs.take(options)),
    onDisk: () => of('sync', () => jobs.onDisk()),
  };
}
