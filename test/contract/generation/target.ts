import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
} from '../../fakes/service/service.ts';

/** The service under test: any base URL from the environment, or the embedded one. */
export interface Target {
  url: string;
  apiKey: string;
  apiKeyHeader: string;
  token: string;
  /** The embedded service, for what needs scripting or looking inside; absent for an outside one. */
  embedded?: GenerationService;
}

/** True when the suite runs against an outside service: what needs scripting is skipped there, by name. */
export const isOutside = process.env.CONFORMANCE_URL !== undefined;

const quick: GenerationServiceOptions = { script: { jobs: { queuedMs: 30, runningMs: 30 } } };

/**
 * Gives the suite its target, or every test (and every try of it) one of its own. Call it at the top of a `describe`.
 */
export function useTarget(
  options: GenerationServiceOptions = quick,
  whose: 'suite' | 'test' = 'suite',
): () => Target {
  let target: Target | undefined;
  const [begin, end] = whose === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  begin(async () => {
    target = fromEnvironment(process.env) ?? (await startEmbedded(options));
  });
  end(async () => {
    await target?.embedded?.close();
  });
  return () => {
    if (target === undefined) throw new Error('the target is there only inside tests');
    return target;
  };
}

async function startEmbedded(options: GenerationServiceOptions): Promise<Target> {
  const embedded = await createGenerationService({ ...quick, ...options });
  const { url, apiKey, apiKeyHeader, token } = embedded;
  return { url, apiKey, apiKeyHeader, token, embedded };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Target | undefined {
  const url = env.CONFORMANCE_URL?.replace(/\/+$/, '');
  if (url === undefined) return undefined;
  return {
    url,
    apiKey: env.CONFORMANCE_KEY ?? '',
    apiKeyHeader: env.CONFORMANCE_KEY_HEADER ?? 'X-API-Key',
    token: env.CONFORMANCE_TOKEN ?? '',
  };
}
