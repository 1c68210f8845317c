import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import { languages } from '../../words/words.ts';

type Outages = OrchestratorStats['outages'];
type Credentials = keyof Outages;

/** /readyz is in English. */
const { outages: said } = languages.en.owner.console;

/** All that is suspended, in words that anybody may read; undefined: nothing is. */
export function suspended(
  outages: Outages,
  of: readonly Credentials[] = ['key', 'token'],
): string | undefined {
  const parts = of.flatMap((each) => {
    const outage = outages[each];
    return outage === undefined ? [] : [`${said[each]} are suspended: ${said[outage]}`];
  });
  return parts.length === 0 ? undefined : parts.join('; ');
}

const FAILURES: Partial<Record<GenerationErrorKind, string>> = {
  unauthorized: 'it refuses the credentials: check GENERATION_API_KEY and GENERATION_TOKEN',
  credits: 'it has run out of credits',
  'rate-limited': 'it is overloaded',
  unavailable: 'it is out of order or overloaded',
  redirected: 'GENERATION_URL redirects: set the address that it redirects to',
  unreachable: 'it cannot be reached: check GENERATION_URL and the network',
  'not-found': 'it has no filters at this address: check GENERATION_URL',
  'bad-response': 'its answer cannot be read: check GENERATION_URL',
};

/** Why a call failed, without anything that the service or a proxy wrote. */
export function explainCall(error: unknown): string {
  const { kind, status } = error instanceof GenerationError ? error : {};
  const words = (kind && FAILURES[kind]) ?? 'the check failed; the log says why';
  return status === undefined ? words : `${words} (HTTP ${status})`;
}
