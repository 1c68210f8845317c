import { Queue, Worker } from 'bullmq';

const AT_ONCE = 64;
const KEPT = { removeOnComplete: true, removeOnFail: true };
const delayOf = (due) => Math.max(0, due - Date.now());

export async function seed({ redis }, jobs) {
  const queue = new Queue('looks', { connection: redis });
  await queue.addBulk(
    jobs.map(({ id, due, body }) => ({
      name: 'look',
      data: { id, due, body },
      opts: { delay: delayOf(due), ...KEPT },
    })),
  );
  await queue.close();
}

export async function work({ redis }, step) {
  const queue = new Queue('looks', { connection: redis });
  const worker = new Worker(
    'looks',
    async ({ data }) => {
      const next = await step(data.due, data.id);
      await queue.add('look', { id: data.id, ...next }, { delay: delayOf(next.due), ...KEPT });
    },
    { connection: redis, concurrency: AT_ONCE, lockDuration: 5_000, stalledInterval: 2_500 },
  );
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
}
