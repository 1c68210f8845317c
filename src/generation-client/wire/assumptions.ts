import { z } from 'zod';
import { jobKinds, KINDS, type KindRow } from '../../kinds/kinds.ts';
import { STATUS_PATHS } from '../../kinds/status-paths.ts';

/**
 * This file lists everything that the service's interface leaves open and a client must decide, with the reason for each
 * choice. Owners can override all of it (`GENERATION_ASSUMPTIONS`).
 */

/** The name of a field on the wire; null leaves the field out. */
const fieldName = (name: string) => z.string().min(1).max(64).nullable().default(name);

const names = (...list: string[]) => z.array(z.string().min(1).max(64)).max(20).default(list);

const path = (text: string) => z.string().startsWith('/').max(200).default(text);

// Prices are whole numbers, because adding and subtracting fractions leaves rounding errors.
const credits = (amount: number) => z.int().min(0).max(10_000).default(amount);

const credentials = (kind: 'key' | 'token') => z.enum(['key', 'token']).default(kind);

/** Names that owners' settings use for these fields, from before they were renamed. */
const OLDER_NAMES: Readonly<Record<string, string>> = { photo: 'image', photos: 'images' };

const nameForOwners = (field: string): string => OLDER_NAMES[field] ?? field;

/**
 * Overrides for the kinds whose field names the interface does not show; the reasons are beside their rows
 * (`src/kinds/kinds.ts`).
 */
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
      // The interface lists this path without saying which endpoint it belongs to; v4 has no other status path, and no other
      // endpoint uses this one.
      classicStatus: path(STATUS_PATHS.classic.path),
    })
    .prefault({}),
  credentials: z
    .strictObject({
      // The catalogs belong to the face and group endpoints, which take the key.
      catalogs: credentials('key'),
      customFilters: credentials('key'),
      // The alias endpoints take the bearer token, so this list of aliases is assumed to take it as well.
      myAliases: credentials('token'),
    })
    .prefault({}),
  /** Prefix of the key in its header ("Bearer ", "Api-Key "); usually empty. */
  apiKeyPrefix: z.string().max(32).default(''),
  /** Body of a status call. Some servers require JSON, and an empty object is harmless for others. */
  statusBody: z.enum(['{}', '']).default('{}'),
  /**
   * Prices of the kinds whose price the interface does not show. It shows those of v6 face swap (2) and v5 multi swap (3);
   * related endpoints are assumed to cost the same.
   */
  credits: z.strictObject({ face: credits(2), group: credits(3) }).prefault({}),
  /** Additional status words; unlisted words count as running. */
  statusWords: z
    .record(z.string().max(40).toUpperCase(), z.enum(['waiting', 'running', 'completed', 'failed']))
    .default({}),
  /** Names of the fields that hold an error's code and message in common frameworks, the most reliable first. */
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
  /**
   * Names in lists, which may come bare or in an envelope. The interface shows `id` and `name` of entries, and no other name.
   */
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
  /**
   * Words in `filter_type` from which the model is recognised. Group is checked first, because "multi face swap" is a group.
   */
  filterTypes: z
    .strictObject({ group: names('multi', 'group'), face: names('face', 'single', 'portrait') })
    .prefault({}),
});

/** All assumptions, with the owner's overrides applied. */
export type Assumptions = z.output<typeof assumptionsSchema>;
export type AssumptionOverrides = z.input<typeof assumptionsSchema>;

/** The assumed name on the wire of a field that the interface does not name; null: the field is not sent. */
export const assumedName = (
  { fields }: Assumptions,
  kind: string,
  field: string,
): string | null | undefined => fields[kind]?.[nameForOwners(field)];

/** Thrown if the owner's overrides are invalid; the message names the setting and the first wrong place. */
export class AssumptionsError extends Error {
  override readonly name = 'AssumptionsError';
}

/** Validates the owner's overrides and fills in the defaults. */
export function completeAssumptions(overrides: Readonly<Record<string, unknown>> = {}): Assumptions {
  const parsed = assumptionsSchema.safeParse(overrides);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  const where = first === undefined || first.path.length === 0 ? '' : ` at "${first.path.join('.')}"`;
  throw new AssumptionsError(
    `GENERATION_ASSUMPTIONS: wrong${where}: ${first?.message ?? ''}. docs/generation-assumptions.md has every name and default.`,
  );
}
