import { generateKeyPairSync, sign } from 'node:crypto';
import { ApiError } from './api-error.ts';
import { acknowledge } from './interactions.ts';
import type { CheckRequest } from './openapi.ts';
import type { Interaction, World } from './world.ts';

/** One delivery by HTTP, as it was sent. */
export interface Posted {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Discord's way of posting interactions: signed, and the response is the first answer. */
export const createHttpDelivery = (world: World, check: CheckRequest | undefined) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');

  /** The fake acts on a response as on a request with the same body. */
  const take = async (interaction: Interaction, response: Response): Promise<void> => {
    if (response.status !== 200) return;
    // The answer to an interaction that is no JSON is none: the person sees that the interaction failed.
    const json = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    if (json === undefined) return;
    await new Promise((done) => setTimeout(done, delivery.readsAfterMs));
    const path = `/interactions/${interaction.id}/${interaction.token}/callback`;
    const problems = check?.('POST', path, new URLSearchParams(), json) ?? [];
    world.complaints.push(...problems.map((problem) => `the response to an interaction: ${problem}`));
    try {
      acknowledge(world, interaction, { json, uploads: [] });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };

  const post = async (interaction: Interaction, body: string): Promise<void> => {
    const headers = delivery.sign(body);
    delivery.posted.push({ body, headers });
    const response = await fetch(delivery.url ?? '', { method: 'POST', headers, body });
    delivery.statuses.push(response.status);
    await take(interaction, response);
  };

  const delivery = {
    /** The application's public key, as the developer portal shows it. */
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex'),
    /** The address to which interactions are posted; undefined: they come over the gateway. */
    url: undefined as string | undefined,
    /** So long after a response Discord acts on it. */
    readsAfterMs: 0,
    /** The time in signatures: the machine's, also where a test moves the world's clock. */
    now: Date.now,
    /** Everything that was posted. */
    posted: [] as Posted[],
    /** The status of each answer; 0: nobody answered. */
    statuses: [] as number[],
    /** The headers for a body. */
    sign(body: string, timestamp: number | string = Math.floor(delivery.now() / 1_000)): Posted['headers'] {
      return {
        'content-type': 'application/json',
        'x-signature-ed25519': sign(null, Buffer.from(`${timestamp}${body}`), privateKey).toString('hex'),
        'x-signature-timestamp': String(timestamp),
      };
    },
    deliver(interaction: Interaction, payload: object): void {
      post(interaction, JSON.stringify(payload)).catch(() => {
        // The program was killed, or is not running: a person sees that nothing answers.
        delivery.statuses.push(0);
      });
    },
  };
  return delivery;
};
