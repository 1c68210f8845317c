import { timingSafeEqual } from 'node:crypto';
import type { Records } from '../../base/keyv/records.ts';
import { createSignedNames } from '../../sign-in/signed-names.ts';
import { createHiddenIds } from '../frame/hidden-ids.ts';

/**
 * Derives all that depends on the stored secret: tokens of forms, encrypted ids in URLs, and cookies where there is no
 * password. They are the same in every process and after a restart. The secret is loaded at the first use, and again if that
 * failed.
 */
export function createFormSecrets(state: Records) {
  const signed = createSignedNames(state, 'secret');
  const load = async () => {
    await signed.load();
    /** Makes the CSRF token for forms of a page with this cookie. */
    const tokenFor = (cookie: string): string => signed.nameFor(`form of ${cookie}`);
    return {
      tokenFor,
      isToken(cookie: string, given: string): boolean {
        const right = Buffer.from(tokenFor(cookie));
        const sent = Buffer.from(given);
        return right.length === sent.length && timingSafeEqual(right, sent);
      },
      issueCookie: signed.issue,
      isIssuedCookie: signed.isIssued,
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
