import { z } from 'zod';
import { defined } from '../../../base/defined.ts';

/** Reads the components of a message. The message can be anybody's, so nothing about their structure is certain. */

const media = z.object({
  url: z.string(),
  content_type: z.string().nullish(),
  attachment_id: z.string().nullish().catch(undefined),
});
/**
 * The fields of a button, menu, gallery item, thumbnail or file, and of containers, rows and sections, which hold others.
 */
const component = z.object({
  id: z.number().optional().catch(undefined),
  custom_id: z.string().optional().catch(undefined),
  options: z
    .array(z.object({ value: z.string() }))
    .optional()
    .catch(undefined),
  media: media.nullish().catch(undefined),
  file: media.nullish().catch(undefined),
  description: z.string().nullish().catch(undefined),
  spoiler: z.boolean().nullish().catch(undefined),
  items: z.array(z.unknown()).nullish().catch(undefined),
  components: z.array(z.unknown()).nullish().catch(undefined),
  accessory: z.unknown().optional(),
});

type Part = z.infer<typeof component> & { readonly hidden: boolean };

/** Limits of the search: Discord nests components at most three deep, and allows 40. */
const DEEPEST = 4;
const MOST_PARTS = 200;

function partsIn(components: unknown): readonly Part[] {
  const found: Part[] = [];
  const collect = (all: readonly unknown[], hidden: boolean, depth: number): void => {
    for (const each of all) {
      if (found.length >= MOST_PARTS) return;
      const { data } = component.safeParse(each);
      if (data === undefined) continue;
      const part = { ...data, hidden: hidden || data.spoiler === true };
      found.push(part);
      if (depth >= DEEPEST) continue;
      collect([...(data.items ?? []), ...(data.components ?? []), data.accessory], part.hidden, depth + 1);
    }
  };
  if (Array.isArray(components)) collect(components, false, 0);
  return found;
}

/** Lists the buttons of a message, and its menus with the values of their entries. */
export function pressablesIn(components: unknown) {
  return partsIn(components).flatMap(({ custom_id: id, options = [] }) =>
    id === undefined ? [] : [{ id, values: options.map(({ value }) => value) }],
  );
}

/**
 * The component id that marks a message which says that the answer takes longer. Discord numbers components without an id
 * from 1.
 */
export const MEANWHILE_ID = 1_000_000;

export const isMeanwhile = (components: unknown): boolean =>
  partsIn(components).some(({ id }) => id === MEANWHILE_ID);

interface ShownFile {
  readonly url: string;
  readonly hidden: boolean;
  /** The description for screen readers. */
  readonly alt?: string;
  /** The content type; unknown for most files outside Discord. */
  readonly type?: string;
  /** The attachment's id, if the file is an attachment of this message. */
  readonly id?: string;
}

/** Lists the pictures, videos and files in components. Discord does not list them among the message's attachments. */
export function filesIn(components: unknown): readonly ShownFile[] {
  return partsIn(components).flatMap(({ media: shown, file, hidden, description }) => {
    const own = shown ?? file;
    if (!own) return [];
    const { url, content_type: type, attachment_id: id } = own;
    const known = { alt: description || undefined, type: type || undefined, id: id || undefined };
    return [{ url, hidden, ...defined(known) }];
  });
}

/** The job that all buttons of a message name; undefined where they name several, or none. */
export function jobIn(components: unknown): string | undefined {
  const named = pressablesIn(components).flatMap(
    ({ id }) => /^(?:a:)?[\w-]+:([\w-]{1,56})$/.exec(id)?.[1] ?? [],
  );
  const [job, ...others] = new Set(named);
  return others.length === 0 ? job : undefined;
}
