import { z } from 'zod';
import type { KeyValue } from '../../../base/key-value.ts';
import { type FormSource, readFormSource } from './forms.ts';

/** Forms that a button opens, stored for a day. */
export interface FormStore {
  keep(person: string, draft: string, source: FormSource): Promise<void>;
  /** Only the person who was asked can open it. */
  find(person: string, draft: string): Promise<FormSource | 'notYours' | 'stale'>;
}

const formLifeMs = 24 * 3_600_000;

const asked = z.object({ person: z.string() });

const formKey = (draft: string): string => `form:${draft}`;

export const createFormStore = (state: KeyValue): FormStore => ({
  async keep(person, draft, source) {
    await state.set(formKey(draft), { ...source, person }, formLifeMs);
  },
  async find(person, draft) {
    const kept = await state.get(formKey(draft));
    const owner = asked.safeParse(kept).data?.person;
    return owner !== undefined && owner !== person ? 'notYours' : (readFormSource(kept) ?? 'stale');
  },
});
