import { timingSafeEqual } from 'node:crypto';
import { createSigned } from '../../adapters/web/visitors/signed.ts';
import type { KeyValue } from '../../base/key-value.ts';
import { createHiddenIds, type HiddenIds } from '../frame/hidden-ids.ts';

/** What a stored secret is used for: tokens of forms, ids in addresses, cookies where there is no password. */
export interface FormSecrets {
  /** Forms of the page that has this cookie carry it. */
  tokenFor(cookie: string): string;
  isToken(cookie: string, given: string): boolean;
  issueCookie(): string;
  isCookie(cookie: string): boolean;
  readonly ids: HiddenIds;
}

/** The same in every process and after a restart. Loaded on first use, and again if that failed. */
export function createFormSecrets(state: KeyValue): () => Promise<FormSecrets> {
  const signed = createSigned(state, 'secret');
  const load = async (): Promise<FormSecrets> => {
    await signed.load();
    const tokenFor = (cookie: string): string => signed.nameFor(`form of ${cookie}`);
    return {
      tokenFor,
      isToken(cookie, given) {
        const [right, typed] = [Buffer.from(tokenFor(cookie)), Buffer.from(given)];
        return right.length === typed.length && timingSafeEqual(right, typed);
      },
      issueCookie: signed.issue,
      isCookie: signed.isIssued,
      ids: createHiddenIds(signed.nameFor),
    };
  };
  let loading: Promise<FormSecrets> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
