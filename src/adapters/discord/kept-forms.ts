import { type FormSource, readFormSource } from './forms.ts';
import type { State } from './state.ts';

/** The forms that can be opened by a button, for as long as that makes sense or their person lets them be kept. */
export interface KeptForms {
  keep(person: string, draft: string, source: FormSource): Promise<void>;
  find(draft: string): Promise<FormSource | undefined>;
  forget(person: string): Promise<void>;
}

const LIFE = 24 * 3_600_000;
/** So many of one person are remembered for forgetting; older ones expire by themselves. */
const MOST = 100;

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
      await state.set(formKey(draft), source, LIFE);
    },
    find: async (draft) => readFormSource(await state.get(formKey(draft))),
    async forget(person) {
      for (const draft of await draftsOf(person)) await state.delete(formKey(draft));
      await state.delete(indexKey(person));
    },
  };
};
