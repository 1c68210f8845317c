import { createFalClient } from '@fal-ai/client';
import Replicate from 'replicate';

/** Runs one job at a fake service as each client does it; resolves when the client has the result. */
export const clients = {
  '@fal-ai/client': (/** @type {string} */ url, /** @type {string} */ job) => {
    const fal = createFalClient({
      credentials: 'key',
      fetch: (to, init) => fetch(String(to).replace('https://queue.fal.run', url), { ...init, mode: 'cors' }),
    });
    return fal.subscribe('o/m', { input: { job } });
  },
  replicate: (/** @type {string} */ url, /** @type {string} */ job) => {
    const replicate = new Replicate({ auth: 'key', baseUrl: `${url}/v1`, useFileOutput: false });
    return replicate.run('o/m', { input: { job }, wait: { mode: 'poll' } });
  },
};
