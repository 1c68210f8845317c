import { z } from 'zod';
import type { Records } from '../../base/keyv/records.ts';
import { CONSENT_VERSION } from '../../words/consent-version.ts';

export type Consents = ReturnType<typeof createConsents>;

const shape = z.looseObject({
  at: z.number(),
  /** The version of the wording that was confirmed; missing in records of before there were versions. */
  version: z.int().positive().exactOptional(),
});
type Consent = z.infer<typeof shape>;

/** Tells the store whose each record is (its key), and whether it is valid. */
export const consentRecordRules = {
  ownerOf: (person: string): string => person,
  isValid: (_: string, value: unknown): boolean => shape.safeParse(value).success,
};

/** Keeps who has confirmed that the people in their photos agreed, when, and in which wording. */
export function createConsents(
  records: Records,
  required: boolean,
  now: () => number,
  version = CONSENT_VERSION,
) {
  return {
    async given(person: string): Promise<boolean> {
      if (!required) return true;
      const consent = await records.get<Consent>(person);
      return consent !== undefined && (consent.version ?? 1) === version;
    },
    async give(person: string): Promise<void> {
      await records.set(person, { at: now(), version });
    },
  };
}
