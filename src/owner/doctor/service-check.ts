import type { Finding } from '../../adapters/connection.ts';
import type { Config } from '../../config/config.ts';
import { createFaceFinder, type FaceFinder } from '../../faces/finder.ts';
import { createGenerationClient } from '../../generation-client/client.ts';
import { AssumptionsError, completeAssumptions } from '../../generation-client/wire/assumptions.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';

type OpenFinder = () => FaceFinder;

/** The detail of a finding about a credential that is not set. */
export const NOT_SET_DETAIL = 'not set';

/**
 * Checks whether the generation service answers and accepts the credentials, and whether the face finder starts if it is
 * needed.
 */
export async function checkService(
  { generation, faceCheck, contentCheck }: Pick<Config, 'generation' | 'faceCheck' | 'contentCheck'>,
  openFinder: OpenFinder = createFaceFinder,
): Promise<readonly Finding[]> {
  try {
    completeAssumptions(generation.assumptions);
  } catch (error) {
    if (!(error instanceof AssumptionsError)) throw error;
    const cure = 'Correct it, or leave the setting out.';
    return [{ name: 'Generation assumptions', ok: false, detail: error.message, reason: 'malformed', cure }];
  }
  if (generation.url === undefined) {
    return [
      {
        name: 'Generation service',
        ok: true,
        detail: 'embedded, for trying only (GENERATION_URL is not set)',
      },
      await checkFaceFinder(openFinder),
      ...(contentCheck === 'on' ? [await checkContentModel(openFinder)] : []),
    ];
  }
  const client = createGenerationClient({ ...generation, baseUrl: generation.url });
  try {
    return [
      await ask(
        'Generation API key',
        'GENERATION_API_KEY (and GENERATION_API_KEY_HEADER)',
        generation.apiKey,
        () => client.catalog('face-v6').then((filters) => `accepted: ${filters.length} face filters`),
      ),
      await ask('Generation token', 'GENERATION_TOKEN', generation.token, () =>
        client.aliases.list().then((aliases) => `accepted: ${aliases.length} aliases`),
      ),
      ...(faceCheck === 'on' ? [await checkFaceFinder(openFinder)] : []),
      ...(contentCheck === 'on' ? [await checkContentModel(openFinder)] : []),
    ];
  } finally {
    await client.close();
  }
}

/** The smallest PNG: one white pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
  'base64',
);

/** Checks whether faces can be found, by a trial, because the finder's library is not made for Node. */
const checkFaceFinder = (open: OpenFinder): Promise<Finding> =>
  checkFinder('Face finder', open, ({ find }) => find(PIXEL));

/** Checks whether pictures can be checked for nudity; where they cannot, jobs wait. */
const checkContentModel = (open: OpenFinder): Promise<Finding> =>
  checkFinder('Content check', open, ({ content }) => content(PIXEL));

async function checkFinder(
  name: string,
  open: OpenFinder,
  look: (finder: FaceFinder) => Promise<unknown>,
): Promise<Finding> {
  const finder = open();
  try {
    await look(finder);
    return { name, ok: true, detail: 'starts' };
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown error';
    const cure = 'Install again (npm ci); it needs 300 MB of memory.';
    return { name, ok: false, detail, reason: 'not started', cure };
  } finally {
    finder.close();
  }
}

async function ask(
  name: string,
  setting: string,
  credential: string | undefined,
  call: () => Promise<string>,
): Promise<Finding> {
  if (credential === undefined) {
    return { name, ok: false, detail: NOT_SET_DETAIL, reason: NOT_SET_DETAIL, cure: `Set ${setting}.` };
  }
  try {
    return { name, ok: true, detail: await call() };
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
    const refused = error.kind === 'unauthorized';
    return {
      name,
      ok: false,
      detail: refused ? 'refused by the service' : error.message,
      reason: error.kind,
      cure: refused
        ? `Check ${setting} with the operator of the service.`
        : 'Check GENERATION_URL and the network.',
    };
  }
}
