import type { Keyv } from 'keyv';

/** Who has confirmed, once, that the people in their photos agreed. */
export interface Consents {
  given(person: string): Promise<boolean>;
  give(person: string): Promise<void>;
  withdraw(person: string): Promise<void>;
}

export const createConsents = (records: Keyv, required: boolean, now: () => number): Consents => ({
  given: async (person) => !required || (await records.get(person)) !== undefined,
  async give(person) {
    await records.set(person, { at: now() });
  },
  async withdraw(person) {
    await records.delete(person);
  },
});
