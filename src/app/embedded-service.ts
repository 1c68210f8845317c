import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/config.ts';
import type { FaceFinder } from '../faces/finder.ts';
import type { Log } from '../log/log.ts';
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

export async function openService(
  { generation, store }: Config,
  log: Log,
  clock: Clock,
  finder: FaceFinder,
): Promise<ServiceAccess> {
  if (generation.url !== undefined) {
    return { ...generation, url: generation.url, embedded: false, close: async () => {} };
  }
  // Loaded only if needed: the renderer is large.
  const { createGenerationService } = await import('../generation-service/service.ts');
  const { UnusableFileError } = await import('../generation-service/storage/database.ts');
  const path = fileOf(store.url) ?? ':memory:';
  const dataDir = path === ':memory:' ? undefined : dirname(path);
  const service = await createGenerationService({
    clock,
    finder,
    // It encrypts nothing, so with a key it must not write what people sent and got.
    jobsInMemory: store.keys.length > 0,
    dataDir: dataDir === undefined ? ':memory:' : join(dataDir, 'generation-service'),
    onError: (error) => log.error({ err: error }, 'the embedded generation service had an error'),
  }).catch((error: unknown) => {
    throw error instanceof UnusableFileError ? new StoreError(error.message) : error;
  });
  const { url, apiKey, apiKeyHeader, token } = service;
  return { url, apiKey, apiKeyHeader, token, embedded: true, close: () => service.close() };
}
