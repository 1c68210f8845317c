import type { Desk } from '../../command/desk.ts';
import type { JobRecords } from '../../orchestrator/job/records.ts';

type Passed = () => number;

async function timed<T>(passed: Passed, took: (ms: number) => void, work: () => Promise<T>): Promise<T> {
  const begun = passed();
  try {
    return await work();
  } finally {
    took(passed() - begun);
  }
}

/** The desk, with the time that each answer takes. */
export function timedDesk(
  desk: Desk,
  passed: Passed,
  answered: (platform: string, ms: number) => void,
): Desk {
  const of =
    <In extends Parameters<Desk['turnAway']>[0], Out>(work: (incoming: In) => Promise<Out>) =>
    (incoming: In): Promise<Out> =>
      timed(
        passed,
        (ms) => answered(incoming.place.platform, ms),
        () => work(incoming),
      );
  return {
    ...desk,
    command: of(desk.command),
    text: of(desk.text),
    press: of(desk.press),
    answer: of(desk.answer),
  };
}

/** Jobs in the store, with the time that the transactions take which people wait for. */
export function timedJobs(
  jobs: JobRecords,
  passed: Passed,
  stored: (transaction: string, ms: number) => void,
): JobRecords {
  const of = <T>(transaction: string, work: () => Promise<T>): Promise<T> =>
    timed(passed, (ms) => stored(transaction, ms), work);
  return {
    ...jobs,
    accept: (order) => of('accept', () => jobs.accept(order)),
    save: (...change) => of('save', () => jobs.save(...change)),
    claim: (...which) => of('claim', () => jobs.claim(...which)),
    take: (options) => of('take', () => jobs.take(options)),
    onDisk: () => of('sync', () => jobs.onDisk()),
  };
}
