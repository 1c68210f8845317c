import { z } from 'zod';
import { jobKinds, KINDS, type KindRow } from '../../kinds/kinds.ts';
import { STATUS_PATHS } from '../../kinds/status-paths.ts';

/**
 * What the interface does not show and a client must still decide, with the reason for each choice. Configuration can
 * override all of it.
 */

/** Name of a field on the wire; null leaves the field out. */
const fieldName = (name: string) => z.string().min(1).max(64).nullable().default(name);

const names = (...list: string[]) => z.array(z.string().min(1).max(64)).max(20).default(list);

const path = (text: string) => z.string().startsWith('/').max(200).default(text);

// Whole numbers: adding and subtracting fractions leaves rounding errors.
const credits = (amount: number) => z.int().min(0).max(10_000).default(amount);

const credentials = (kind: 'key' | 'token') => z.enum(['key', 'token']).default(kind);

/** Owners know these fields by older names. */
const OLDER_NAMES: Readonly<Record<string, string>> = { photo: 'image', photos: 'images' };

const nameForOwners = (field: string): string => OLDER_NAMES[field] ?? field;

/** The kinds whose fields the interface does not name; the reasons are beside their rows (`src/kinds/kinds.ts`). */
const fieldNames = jobKinds.flatMap((kind) => {
  const row: KindRow = KINDS[kind];
  if (row.areNamesAssumed === undefined) return [];
  const shape = Object.entries(row.fields).map(([name, { wire }]) => [nameForOwners(name), fieldName(wire)]);
  return [[kind, z.strictObject(Object.fromEntries(shape)).prefault({})]];
});

const assumptionsSchema = z.strictObject({
  fields: z
    .strictObject<Record<string, z.ZodType<Record<string, string | null>>>>(Object.fromEntries(fieldNames))
    .prefault({}),
  paths: z
    .strictObject({
      // Listed without an owner; v4 has no status path of its own and no other endpoint uses this one.
      classicStatus: path(STATUS_PATHS.classic.path),
    })
    .prefault({}),
  credentials: z
    .strictObject({
      // The catalogs belong to the face and group endpoints, which take the key.
      catalogs: credentials('key'),
      customFilters: credentials('key'),
      // Aliases take the bearer token, so their other list does too.
      myAliases: credentials('token'),
    })
    .prefault({}),
  /** Prefix of the key in its header ("Bearer ", "Api-Key "); usually none. */
  apiKeyPrefix: z.string().max(32).default(''),
  /** Body of a status call. Some servers require JSON, and an empty object harms none. */
  statusBody: z.enum(['{}', '']).default('{}'),
  /** Costs are shown for v6 face swap (2) and v5 multi swap (3); their relatives are taken to cost the same. */
  credits: z.strictObject({ face: credits(2), group: credits(3) }).prefault({}),
  /** Extra status words; unlisted words count as running. */
  statusWords: z
    .record(z.string().max(40).toUpperCase(), z.enum(['waiting', 'running', 'completed', 'failed']))
    .default({}),
  /** Fields of an error's code and message in common frameworks, the most reliable first. */
  errorBody: z
    .strictObject({
      code: names('error_code', 'errorCode', 'code'),
      detail: names(
        'detail',
        'message',
        'msg',
        'error_message',
        'error_description',
        'error',
        'errors',
        'title',
      ),
    })
    .prefault({}),
  /** Lists may come bare or in an envelope; entries carry `id` and `name`, the rest is unnamed. */
  lists: z
    .strictObject({
      envelope: names('results', 'filters', 'styles', 'data', 'items', 'aliases', 'custom_filters'),
      id: names('id', 'uuid', 'filter_id', 'style_id', 'ai_filter', 'ai_filter_id'),
      name: names('name', 'label', 'title', 'display_name', 'filter_name', 'ai_filter_name'),
      previews: names(
        'previews',
        'preview',
        'preview_images',
        'preview_image',
        'preview_urls',
        'preview_url',
        'images',
        'image',
        'image_url',
        'thumbnails',
        'thumbnail',
        'thumbnail_url',
        'cover',
      ),
    })
    .prefault({}),
  /** Words in `filter_type` that tell the model; group is checked first because "multi face swap" is a group. */
  filterTypes: z
    .strictObject({ group: names('multi', 'group'), face: names('face', 'single', 'portrait') })
    .prefault({}),
});

export type Assumptions = z.output<typeof assumptionsSchema>;
export type AssumptionOverrides = z.input<typeof assumptionsSchema>;

/** The name on the wire of a field that the interface does not name; null: it is not sent. */
export const assumedName = (
  { fields }: Assumptions,
  kind: string,
  field: string,
): string | null | undefined => fields[kind]?.[nameForOwners(field)];

/** The owner's overrides cannot be used; the message names the setting and the first wrong place. */
export class AssumptionsError extends Error {
  override readonly name = 'AssumptionsError';
}

/** Fills in the defaults. */
export function completeAssumptions(overrides: Readonly<Record<string, unknown>> = {}): Assumptions {
  const parsed = assumptionsSchema.safeParse(overrides);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  const where = first === undefined || first.path.length === 0 ? '' : ` at "${first.path.join('.')}"`;
  throw new AssumptionsError(
    `GENERATION_ASSUMPTIONS: wrong${where}: ${first?.message ?? ''}. docs/generation-assumptions.md has every name and default.`,
  );
}
