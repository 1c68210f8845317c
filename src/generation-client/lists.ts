import { z } from 'zod';
import { defined } from '../base/defined.ts';
import { isUuid } from '../base/uuid.ts';
import type { Assumptions } from './wire/assumptions.ts';
import { jsonSink } from './wire/body-sinks.ts';
import type { BodySink } from './wire/exchange.ts';
import { webLinkFrom } from './wire/inputs.ts';
import { createLists } from './wire/list-sink.ts';
import { plainText } from './wire/plain-text.ts';

/** The lists of standard filters, one per model. */
export const CATALOG_PATHS = {
  'face-v1': '/v1/filters/',
  'face-v5': '/v5/filters',
  'face-v6': '/v6/filters',
  classic: '/v4/multi_swap_styles/',
  realistic: '/v1/realistic_multiswap_styles/',
  stylized: '/v1/stylized_multiswap_styles/',
} as const;

/** The name of a list of standard filters. */
export type ServiceCatalogName = keyof typeof CATALOG_PATHS;

/** A standard filter of a catalog. */
export interface ServiceCatalogEntry {
  id: number;
  name: string;
  preview?: string;
}
/** A custom filter of the owner of the credentials. */
export interface CustomFilter {
  id: string;
  name: string;
  model: 'face' | 'group' | 'unknown';
  previews: string[];
}

type Fields = Assumptions['lists'];
type Entry = Record<string, unknown>;

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ENTRIES = 10_000;
const entrySchema = z.record(z.string(), z.unknown());

const entriesSink = <T extends { readonly id: string | number }>(
  fields: Fields,
  read: (entry: Entry) => T | undefined,
): BodySink<T[]> =>
  jsonSink(MOST_BYTES, (document) => {
    const lists = createLists(fields.envelope, MOST_ENTRIES, read);
    const envelope = entrySchema.safeParse(document).data ?? {};
    const named = fields.envelope.map((name) => [name, envelope[name]] as const);
    for (const [name, list] of Array.isArray(document) ? [[undefined, document] as const] : named) {
      if (!Array.isArray(list)) continue;
      lists.begin(name);
      for (const each of list.slice(0, MOST_ENTRIES)) {
        const entry = entrySchema.safeParse(each).data;
        if (entry !== undefined) lists.add(() => entry);
      }
    }
    return lists.end();
  });

/** Reads a list of standard filters, which have a number (written as a string in the list) and a name. */
export const catalogSink = (fields: Fields, baseUrl: string): BodySink<ServiceCatalogEntry[]> =>
  entriesSink(fields, (entry) => {
    const id = firstOf(entry, fields.id, catalogNumber);
    if (id === undefined) return undefined;
    const [preview] = previewsOf(entry, fields, baseUrl);
    return { id, name: nameOf(entry, fields) ?? `Filter ${id}`, ...defined({ preview }) };
  });

/** Reads the list of custom filters, which have a UUID, pictures, and the model in `filter_type`. */
export const customFilterSink = (
  { lists: fields, filterTypes }: Assumptions,
  baseUrl: string,
): BodySink<CustomFilter[]> =>
  entriesSink(fields, (entry) => {
    const id = firstOf(entry, fields.id, (value) => (isUuid(value) ? value.toLowerCase() : undefined));
    if (id === undefined) return undefined;
    const model = modelOf(entry.filter_type, filterTypes);
    return { id, name: nameOf(entry, fields) ?? id, model, previews: previewsOf(entry, fields, baseUrl) };
  });

function modelOf(type: unknown, words: Assumptions['filterTypes']): CustomFilter['model'] {
  if (typeof type !== 'string') return 'unknown';
  const has = (list: string[]) => list.some((part) => type.toLowerCase().includes(part.toLowerCase()));
  if (has(words.group)) return 'group';
  return has(words.face) ? 'face' : 'unknown';
}

function catalogNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function nameOf(entry: Entry, fields: Fields): string | undefined {
  return firstOf(entry, fields.name, (value) =>
    typeof value === 'string' ? plainText(value, [], 100) || undefined : undefined,
  );
}

function previewsOf(entry: Entry, fields: Fields, baseUrl: string): string[] {
  const links = firstOf(entry, fields.previews, (value) => {
    const given = Array.isArray(value) ? value.slice(0, 10) : [value];
    const found = given.map((one) => linkOf(one, baseUrl)).filter((link) => link !== undefined);
    return found.length > 0 ? found : undefined;
  });
  return links ?? [];
}

/** The link of a picture, which is an address (absolute or relative to the service) or an object with one. */
function linkOf(value: unknown, baseUrl: string): string | undefined {
  const entry = entrySchema.safeParse(value);
  const text = entry.success ? (entry.data.url ?? entry.data.src ?? entry.data.image) : value;
  return typeof text === 'string' ? webLinkFrom(text, baseUrl) : undefined;
}

function firstOf<T>(entry: Entry, names: string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const name of names) {
    const found = Object.hasOwn(entry, name) ? read(entry[name]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
