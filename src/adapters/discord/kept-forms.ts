import { z } from 'zod';
import { type FormSource, readFormSource } from './forms.ts';
import type { State } from './state.ts';

/** The forms that can be opened by a button, for as long as that makes sense or their person lets them be kept. */
export interface KeptForms {
  keep(person: string, draft: string, source: FormSource): Promise<void>;
  /** A form opens for the person who was asked, and for nobody else. */
  find(person: string, draft: string): Promise<FormSource | 'notYours' | 'stale'>;
  forget(person: string): Promise<void>;
}

const LIFE = 24 * 3_600_000;
/** So many of one person are remembered for forgetting; older ones expire by themselves. */
const MOST = 100;

const asked = z.object({ person: z.string() });

const formKey = (draft: string): string => `form:${draft}`;
const indexKey = (person: string): string => `forms-of:${person}`;

export const createKeptForms = (state: State): KeptForms => {
  const draftsOf = async (person: string): Promise<readonly string[]> => {
    const value = await state.get(indexKey(person));
    return Array.isArray(value) ? value.map(String) : [];
  };
  return {
    async keep(person, draft, source) {
      const known = (await draftsOf(person)).filter((each) => each !== draft);
      await state.set(indexKey(person), [...known, draft].slice(-MOST), LIFE);
      await state.set(formKey(draft), { ...source, person }, LIFE);
    },
    async find(person, draft) {
      const kept = await state.get(formKey(draft));
      const whose = asked.safeParse(kept).data?.person;
      return whose !== undefined && whose !== person ? 'notYours' : (readFormSource(kept) ?? 'stale');
    },
    async forget(person) {
      for (const draft of await draftsOf(person)) await state.delete(formKey(draft));
      await state.delete(indexKey(person));
    },
  };
};
