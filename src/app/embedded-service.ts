import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

/** Where pictures are made and with which credentials: the configured service, or our own beside the store. */
export interface ServiceAccess {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly apiKeyHeader: string;
  readonly token: string | undefined;
  readonly embedded: boolean;
  close(): Promise<void>;
}

export const openService = async ({ generation, store }: Config, log: Log): Promise<ServiceAccess> => {
  if (generation.url !== undefined) {
    return { ...generation, url: generation.url, embedded: false, close: async () => {} };
  }
  // Loaded only here: whoever has a service of their own never pays for the renderer.
  const { createGenerationService } = await import('../generation-service/service.ts');
  const dataDir =
    store.url.kind === 'sqlite' && store.url.path !== ':memory:' ? dirname(store.url.path) : undefined;
  const service = await createGenerationService({
    dataDir: dataDir === undefined ? ':memory:' : join(dataDir, 'generation-service'),
    onError: (error) => log.error({ err: error }, 'the embedded generation service had an error'),
  });
  const { url, apiKey, apiKeyHeader, token } = service;
  return { url, apiKey, apiKeyHeader, token, embedded: true, close: () => service.close() };
};
