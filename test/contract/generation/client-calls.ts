import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { createGenerationClient, type GenerationClient } from '../../../src/generation-client/client.ts';
import type { GenerationRequest } from '../../../src/generation-client/endpoints.ts';
import type { GenerationOutput } from '../../../src/generation-client/result/status-report.ts';
import { GenerationError } from '../../../src/generation-client/wire/errors.ts';
import { isOutside, type Target } from './target.ts';

/** Runs `use` with a client of the target, and closes it. */
export async function withClient<T>(
  target: Target,
  use: (client: GenerationClient) => Promise<T>,
  change: Partial<Parameters<typeof createGenerationClient>[0]> = {},
): Promise<T> {
  const { url, apiKey, apiKeyHeader, token } = target;
  const client = createGenerationClient({ baseUrl: url, apiKey, apiKeyHeader, token, ...change });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

export async function makePhoto(width = 480, height = 320) {
  const background = { r: 200, g: 120, b: 60 };
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { bytes, type: 'image/jpeg' } as const;
}

/** From submission to result, as any user of the client would go. */
export async function generate(
  client: GenerationClient,
  request: GenerationRequest,
): Promise<GenerationOutput> {
  const { id } = await client.run(request);
  for (;;) {
    const report = await client.status({ endpoint: request.endpoint, id });
    if (report.state === 'completed') return report.output;
    if (report.state === 'failed') throw new Error(`the job failed: ${report.reason}`);
    await wait(isOutside ? 5000 : 30);
  }
}

/** The error of a call that must fail, and fail with the client's own type. */
export async function failureOf(promise: Promise<unknown>): Promise<GenerationError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof GenerationError) return outcome;
  throw outcome ?? new Error('the call was expected to fail');
}
