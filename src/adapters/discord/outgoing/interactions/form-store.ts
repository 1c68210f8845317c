import { z } from 'zod';
import type { KeyValue } from '../../../../base/key-value.ts';
import { type FormSource, readFormSource } from '../render/forms.ts';

const FORM_LIFE_MS = 24 * 3_600_000;

const asked = z.object({ person: z.string() });

/** The person who was asked. */
export function formOwner(form: unknown): string | undefined {
  return asked.safeParse(form).data?.person;
}

function formKey(draft: string): string {
  return `form:${draft}`;
}

/** Forms that a button opens, stored for a day. */
export function createFormStore(state: KeyValue) {
  return {
    async keep(person: string, draft: string, source: FormSource): Promise<void> {
      await state.set(formKey(draft), { ...source, person }, FORM_LIFE_MS);
    },
    /** Only the person who was asked can open it. */
    async find(person: string, draft: string): Promise<FormSource | 'notYours' | 'stale'> {
      const kept = await state.get(formKey(draft));
      const owner = formOwner(kept);
      return owner !== undefined && owner !== person ? 'notYours' : (readFormSource(kept) ?? 'stale');
    },
  };
}

export type FormStore = ReturnType<typeof createFormStore>;
