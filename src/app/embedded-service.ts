import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log/log.ts';
import { createSeal, type Seal } from '../store/records/seal/seal.ts';
import { StoreError } from '../store/records/store-error.ts';
import { fileOf } from '../store/store.ts';

/** URL and credentials of the configured service, or of the embedded one, whose file is beside the store. */
export interface ServiceAccess {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly apiKeyHeader: string;
  readonly token: string | undefined;
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Encrypts the embedded service's file like the store. */
function cipherFrom(seal: Seal) {
  return {
    seal: (text: string): string => `${SEALED}${Buffer.from(seal.seal(text, PURPOSE)).toString('base64')}`,
    open: (stored: string): string =>
      stored.startsWith(SEALED)
        ? seal.open(Buffer.from(stored.slice(SEALED.length), 'base64'), PURPOSE)
        : stored,
    isOutdated: (stored: string): boolean =>
      !stored.startsWith(SEALED) || !seal.isCurrent(Buffer.from(stored.slice(SEALED.length), 'base64')),
  };
}

const SEALED = 'sealed:';
const PURPOSE = 'generation-service';

export async function openService(
  { generation, store }: Config,
  log: Log,
  clock: Clock,
): Promise<ServiceAccess> {
  if (generation.url !== undefined) {
    return { ...generation, url: generation.url, embedded: false, close: async () => {} };
  }
  // Loaded only if needed: the renderer is large.
  const { createGenerationService } = await import('../generation-service/service.ts');
  const { UnusableFileError } = await import('../generation-service/storage/database.ts');
  const path = fileOf(store.url) ?? ':memory:';
  const dataDir = path === ':memory:' ? undefined : dirname(path);
  const seal = createSeal(store.keys);
  const service = await createGenerationService({
    clock,
    ...(seal.encrypts ? { cipher: cipherFrom(seal) } : {}),
    dataDir: dataDir === undefined ? ':memory:' : join(dataDir, 'generation-service'),
    onError: (error) => log.error({ err: error }, 'the embedded generation service had an error'),
  }).catch((error: unknown) => {
    throw error instanceof UnusableFileError ? new StoreError(error.message) : error;
  });
  const { url, apiKey, apiKeyHeader, token } = service;
  return { url, apiKey, apiKeyHeader, token, embedded: true, close: () => service.close() };
}
