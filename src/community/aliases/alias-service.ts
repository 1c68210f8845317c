import type { Alias } from '../../generation-client/alias-shapes.ts';
import type { AliasCalls } from '../../generation-client/aliases.ts';
import type { Purpose } from '../../generation-client/wire/call.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { CommunityError } from '../community-error.ts';

export function isNotFound(error: unknown): boolean {
  return error instanceof GenerationError && error.kind === 'not-found';
}

export function isServiceRefusal(error: unknown): boolean {
  return error instanceof GenerationError && (error.kind === 'refused' || error.kind === 'rule');
}

/** Turns errors of the service into ones with a message for users; other errors are defects and pass through. */
export async function explained<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof GenerationError) || error.kind === 'not-found') throw error;
    if (isServiceRefusal(error)) {
      throw new CommunityError({
        code: 'service-refused',
        detail: error.detail ?? error.code ?? error.message,
      });
    }
    if (error.kind === 'unauthorized') throw new CommunityError({ code: 'service-credentials' });
    if (error.kind === 'redirected') throw new CommunityError({ code: 'service-address' });
    throw new CommunityError({ code: 'service-unavailable' });
  }
}

/** Reads an alias after a change; when that fails, the change was made all the same. */
export async function readChanged(
  service: Pick<AliasCalls, 'resolve'>,
  id: string,
  filter: string,
  purpose: Purpose,
): Promise<Alias> {
  try {
    return await service.resolve(id, purpose);
  } catch (error) {
    if (!(error instanceof GenerationError) || isNotFound(error)) throw error;
    const unread = { label: undefined, project: undefined, createdAt: undefined, updatedAt: undefined };
    return { id, filter, ...unread, lastUsed: undefined, history: [] };
  }
}
