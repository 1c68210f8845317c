import { timingSafeEqual } from 'node:crypto';
import type { Records } from '../../base/keyv/records.ts';
import { createSigned } from '../../sign-in/signed.ts';
import { createHiddenIds } from '../frame/hidden-ids.ts';

/**
 * What a stored secret is used for: tokens of forms, ids in addresses, cookies where there is no password. The same in every process
 * and after a restart. Loaded on first use, and again if that failed.
 */
export function createFormSecrets(state: Records) {
  const signed = createSigned(state, 'secret');
  const load = async () => {
    await signed.load();
    /** Forms of the page that has this cookie carry it. */
    const tokenFor = (cookie: string): string => signed.nameFor(`form of ${cookie}`);
    return {
      tokenFor,
      isToken(cookie: string, given: string): boolean {
        const [right, typed] = [Buffer.from(tokenFor(cookie)), Buffer.from(given)];
        return right.length === typed.length && timingSafeEqual(right, typed);
      },
      issueCookie: signed.issue,
      isCookie: signed.isIssued,
      ids: createHiddenIds(signed.nameFor),
    };
  };
  let loading: ReturnType<typeof load> | undefined;
  return (): ReturnType<typeof load> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
