import type { Alias } from '../../generation-client/alias-shapes.ts';
import type { AliasCalls } from '../../generation-client/aliases.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { CommunityProblem } from '../problem.ts';

export const isNotFound = (error: unknown): boolean =>
  error instanceof GenerationError && error.kind === 'not-found';

export const isRefusal = (error: unknown): boolean =>
  error instanceof GenerationError && (error.kind === 'refused' || error.kind === 'rule');

/** The service's refusals and silences, as something that has words. Anything else is a defect and stays itself. */
export const explain = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof GenerationError) || error.kind === 'not-found') throw error;
    if (isRefusal(error)) {
      throw new CommunityProblem({
        code: 'service-refused',
        detail: error.detail ?? error.code ?? error.message,
      });
    }
    if (error.kind === 'unauthorized') throw new CommunityProblem({ code: 'service-credentials' });
    if (error.kind === 'redirected') throw new CommunityProblem({ code: 'service-address' });
    throw new CommunityProblem({ code: 'service-unavailable' });
  }
};

/** An alias that has just been changed: that it cannot be read at the moment takes nothing of that back. */
export const readChanged = async (
  service: Pick<AliasCalls, 'resolve'>,
  id: string,
  filter: string,
): Promise<Alias> => {
  try {
    return await service.resolve(id);
  } catch (error) {
    if (!(error instanceof GenerationError) || isNotFound(error)) throw error;
    const unread = { label: undefined, project: undefined, createdAt: undefined, updatedAt: undefined };
    return { id, filter, ...unread, lastUsed: undefined, history: [] };
  }
};
