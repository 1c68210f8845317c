import { z } from 'zod';
import type { Records } from '../../base/keyv/records.ts';

export type Consents = ReturnType<typeof createConsents>;

/** Tells the store whose each record is (its key), and whether it is valid. */
export const consentRecords = {
  ownerOf: (person: string): string => person,
  isValid: (_: string, value: unknown): boolean => z.looseObject({ at: z.number() }).safeParse(value).success,
};

/** Keeps who has confirmed that the people in their photos agreed. */
export function createConsents(records: Records, required: boolean, now: () => number) {
  return {
    given: async (person: string): Promise<boolean> => !required || (await records.get(person)) !== undefined,
    async give(person: string): Promise<void> {
      await records.set(person, { at: now() });
    },
  };
}
