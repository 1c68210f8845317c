import { z } from 'zod';
import { isUuid } from './wire/inputs.ts';
import { InvalidResponse } from './wire/invalid-response.ts';
import { plainText } from './wire/plain-text.ts';

const uuid = z.custom<string>(isUuid).transform((text) => text.toLowerCase());
const words = z
  .string()
  .transform((text) => plainText(text, [], 200))
  .optional()
  .catch(undefined);
const moment = z
  .string()
  .max(64)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .optional()
  .catch(undefined);

const historyEntry = z
  .object({ ai_filter_id: uuid, ai_filter_name: words, time_removed: moment })
  .transform((entry) => ({
    filter: entry.ai_filter_id,
    name: entry.ai_filter_name,
    removedAt: entry.time_removed,
  }));

/** `id` and `ai_filter` must be valid; the rest is only shown, so invalid values are dropped. */
const aliasSchema = z
  .object({
    id: uuid,
    ai_filter: uuid.nullish(),
    ai_filter_data: z.object({ label: words }).optional().catch(undefined),
    // Compared with our community ids, so it is not cleaned.
    project: z.string().max(1000).optional().catch(undefined),
    created_at: moment,
    updated_at: moment,
    last_used: moment,
    history: z.array(z.unknown()).catch([]),
  })
  .transform((alias) => ({
    /** Stable; never changes. */
    id: alias.id,
    /** UUID of the filter that the alias points to; undefined: that filter was deleted. */
    filter: alias.ai_filter ?? undefined,
    /** Human-readable name of that filter. */
    label: alias.ai_filter_data?.label,
    project: alias.project,
    createdAt: alias.created_at,
    updatedAt: alias.updated_at,
    lastUsed: alias.last_used,
    /** Filters it pointed to before. */
    history: alias.history.slice(-100).flatMap((item) => historyEntry.safeParse(item).data ?? []),
  }));

export type Alias = z.output<typeof aliasSchema>;

export function readAlias(document: unknown): Alias {
  const alias = aliasSchema.safeParse(document);
  if (!alias.success) throw new InvalidResponse('the answer is not an alias');
  return alias.data;
}

/** Without its history, which is most of it. */
export function readListedAlias(entry: unknown): Alias | undefined {
  const alias = aliasSchema.safeParse(entry).data;
  return alias && { ...alias, history: [] };
}
