import { onTestFinished } from 'vitest';
import {
  createGenerationClient,
  type GenerationClientOptions,
} from '../../../src/generation-client/client.ts';
import { GenerationError } from '../../../src/generation-client/wire/errors.ts';
import { createScriptedService } from './scripted-service.ts';

/** The key that clients of tests send. */
export const apiKey = 'key-0123456789';
/** The token that clients of tests send. */
export const token = 'token-9876543210';

type Answer = Parameters<typeof createScriptedService>[0];

/** A real server that answers as told, and a client that talks to it and never really sleeps. */
export async function openClient(answer: Answer, options: Partial<GenerationClientOptions> = {}) {
  const service = await createScriptedService(answer);
  const slept: number[] = [];
  const client = createGenerationClient({
    baseUrl: service.url,
    apiKey,
    token,
    random: () => 0.5,
    sleep: async (ms) => void slept.push(ms),
    ...options,
  });
  onTestFinished(async () => {
    await service.close();
    await client.close();
  });
  return { client, service, slept };
}

/** The error of a call that must fail, and fail with the client's own type. */
export async function failureOf(promise: Promise<unknown>): Promise<GenerationError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome) throw new Error('the call was expected to fail');
  if (!(outcome.error instanceof GenerationError)) throw outcome.error;
  return outcome.error;
}
