import { randomUUID } from 'node:crypto';
import { close, listen, urlOf } from '../kill/service.ts';

/** A service whose jobs run until it is told to let them go. */
export const createHeldService = async () => {
  const jobs = new Set<string>();
  let isHeld = true;
  const server = await listen(async (path) => {
    if (path.startsWith('/v2/run/')) {
      const id = randomUUID();
      jobs.add(id);
      return [200, { id, status: 'QUEUED' }];
    }
    const id = path.split('/').at(-1) ?? '';
    if (!jobs.has(id)) return [404, {}];
    return isHeld
      ? [200, { id, status: 'RUNNING', output: {} }]
      : [200, { id, status: 'COMPLETED', output: { images: [picture] } }];
  });
  return {
    url: urlOf(server),
    /** How many run calls it took. */
    runs: () => jobs.size,
    letGo(): void {
      isHeld = false;
    },
    close: () => close(server),
  };
};

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
