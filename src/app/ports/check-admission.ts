import type { CommunityGate } from '../../command/community-gate.ts';
import { textsOf } from '../../command/kinds.ts';
import { JobFailure } from '../../orchestrator/job/failure.ts';
import type { Ports } from '../../orchestrator/steps/effects.ts';

/** Checks the community's rules again before a waiting job is submitted. */
export function createAdmission(gate: CommunityGate): NonNullable<Ports['admit']> {
  return async ({ caller, place, request }) => {
    if (await gate.unapproved(caller, place)) throw new JobFailure({ code: 'unapproved' });
    if (await gate.blocked(caller, place)) throw new JobFailure({ code: 'blocked' });
    const paused = await gate.paused(place);
    if (paused !== undefined)
      throw new JobFailure({ code: 'paused', ...(paused.reason === '' ? {} : { detail: paused.reason }) });
    const texts = textsOf(request);
    if (texts.length > 0 && (await gate.banned(place, texts))) throw new JobFailure({ code: 'banned-word' });
  };
}
