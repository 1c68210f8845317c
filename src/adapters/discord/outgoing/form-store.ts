import { z } from 'zod';
import type { KeyValue } from '../../../base/key-value.ts';
import { type FormSource, readFormSource } from './forms.ts';

/** The forms that can be opened by a button, for as long as that makes sense or their person lets them be kept. */
export interface KeptForms {
  keep(person: string, draft: string, source: FormSource): Promise<void>;
  /** A form opens for the person who was asked, and for nobody else. */
  find(person: string, draft: string): Promise<FormSource | 'notYours' | 'stale'>;
}

const LIFE = 24 * 3_600_000;

const asked = z.object({ person: z.string() });

const formKey = (draft: string): string => `form:${draft}`;

export const createKeptForms = (state: KeyValue): KeptForms => ({
  async keep(person, draft, source) {
    await state.set(formKey(draft), { ...source, person }, LIFE);
  },
  async find(person, draft) {
    const kept = await state.get(formKey(draft));
    const whose = asked.safeParse(kept).data?.person;
    return whose !== undefined && whose !== person ? 'notYours' : (readFormSource(kept) ?? 'stale');
  },
});
