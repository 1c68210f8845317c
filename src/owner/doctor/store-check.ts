import type { Finding } from '../../adapters/adapter.ts';
import type { Config } from '../../config.ts';
import { openStore, type Store } from '../../store/store.ts';

/** Whether the store can be opened with the key that is given, and written to. */
export const checkStore = async ({ store }: Config): Promise<readonly Finding[]> => {
  const name = 'Store';
  if (store.url.kind === 'redis') {
    return [
      {
        name,
        ok: false,
        detail: 'redis:// is not available in this version',
        cure: 'Set STORE_URL=sqlite:PATH.',
      },
    ];
  }
  const { path } = store.url;
  try {
    const opened = openStore({ path, keys: store.keys });
    try {
      const probe = opened.keyv('doctor');
      await probe.set('probe', Date.now());
      await probe.delete('probe');
    } finally {
      opened.close();
    }
    return [{ name, ok: true, detail: `${path} is writable, ${sealing(opened, store.keys)}` }];
  } catch (error) {
    return [
      {
        name,
        ok: false,
        detail: error instanceof Error ? error.message : `${path} cannot be opened`,
        cure: 'Make the folder writable for this user, or set STORE_URL; STORE_KEY must be the one it was made with.',
      },
    ];
  }
};

const sealing = ({ encrypts }: Store, given: readonly Buffer[]): string => {
  if (encrypts) return 'encrypted';
  return given.length > 0 ? 'encrypted from the next start on' : 'not encrypted (STORE_KEY is not set)';
};
