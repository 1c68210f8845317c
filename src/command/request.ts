import { z } from 'zod';
import { type FilterListName, isMinor } from '../kinds/choices.ts';
import type { Field, FilterSource } from '../kinds/field.ts';
import { commandOf, type JobKind, jobKinds, KINDS } from '../kinds/kinds.ts';
import { PLATFORMS } from '../platforms/platforms.ts';
import type { Given } from './option.ts';
import type { PhotoRef } from './photo.ts';
import { ALIAS_NAME } from './read-arguments.ts';

/** Requests for pictures and videos. Their types and rules are derived from the rows of the kinds (`src/kinds/kinds.ts`). */

/** The chosen filter or style. An alias is resolved when the job is submitted. */
export type FilterChoice =
  | { readonly by: 'number'; readonly id: number; readonly name: string }
  | { readonly by: 'uuid' | 'alias'; readonly id: string; readonly name: string };

/**
 * Makes a schema for checks alone: fields that it does not name, such as those of a newer version, pass the check, and are missing in
 * its result.
 */
const stored = <Value>(schema: z.ZodType): z.ZodType<Value> => schema as z.ZodType<Value>;

/** A photo as it is stored. */
export const photoShape = stored<PhotoRef>(
  z.discriminatedUnion('from', [
    z.object({ from: z.enum(PLATFORMS), ref: z.string() }),
    z.object({ from: z.literal('link'), url: z.string() }),
    z.object({ from: z.literal('face'), name: z.string() }),
  ]),
);
const filterShape = stored<FilterChoice>(
  z.discriminatedUnion('by', [
    z.object({ by: z.literal('number'), id: z.number(), name: z.string() }),
    z.object({ by: z.enum(['uuid', 'alias']), id: z.string(), name: z.string() }),
  ]),
);

/** The value of a field as a person gives it. A field whose value is constant is not given. */
type Value<Each> = Each extends { role: 'photo' }
  ? PhotoRef
  : Each extends { role: 'photos' }
    ? readonly PhotoRef[]
    : Each extends { role: 'filter' }
      ? FilterChoice
      : Each extends { role: 'text' }
        ? string
        : Each extends { role: 'option'; schema: infer Schema extends z.ZodType }
          ? z.output<Schema>
          : never;

type Fields = Readonly<Record<string, Field>>;
type Optional<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { isOptional: true } ? Name : never;
}[keyof Of];
type Constant<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { role: 'constant' } ? Name : never;
}[keyof Of];
type RequestWith<Of extends Fields> = {
  readonly [Name in Exclude<keyof Of, Optional<Of> | Constant<Of>>]: Value<Of[Name]>;
} & { readonly [Name in Optional<Of>]?: Value<Of[Name]> };

/** A person's request for a picture or video, with the fields of its kind. */
export type GenerateRequest = {
  [Name in JobKind]: { readonly kind: Name } & RequestWith<(typeof KINDS)[Name]['fields']>;
}[JobKind];

const fieldsOf = (kind: JobKind): readonly (readonly [string, Field])[] =>
  Object.entries<Field>(KINDS[kind].fields);

function storedField(field: Field): z.ZodType | undefined {
  switch (field.role) {
    case 'photo':
      return photoShape;
    case 'photos':
      return z.array(photoShape);
    case 'filter':
      return filterShape;
    case 'text':
      return z.string();
    case 'option':
      return field.isOptional ? field.schema.optional() : field.schema;
    case 'constant':
      return undefined;
  }
}

const shapes = jobKinds.map((kind) => {
  const fields = fieldsOf(kind).flatMap(([name, field]) => {
    const shape = storedField(field);
    return shape === undefined ? [] : [[name, shape]];
  });
  return z.object({ ...Object.fromEntries(fields), kind: z.literal(kind) });
});

/** A request as it is stored. */
export const requestShape = stored<GenerateRequest>(
  z.discriminatedUnion('kind', shapes as [(typeof shapes)[number]]),
);

interface Part {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
}

function partsOf(request: GenerateRequest, ...roles: readonly Field['role'][]): readonly Part[] {
  const values: Readonly<Record<string, unknown>> = request;
  return fieldsOf(request.kind)
    .filter(([name, { role }]) => roles.includes(role) && values[name] !== undefined)
    .map(([name, field]) => ({ name, field, value: values[name] }));
}

const isPhoto = (value: unknown): value is PhotoRef =>
  typeof value === 'object' && value !== null && 'from' in value;

const isFilter = (value: unknown): value is FilterChoice =>
  typeof value === 'object' && value !== null && 'by' in value;

/** The photos that a request is made of, by field. */
export const photoFieldsOf = (request: GenerateRequest) =>
  partsOf(request, 'photo', 'photos').map(({ name, field, value }) => ({
    name,
    refs: [value].flat().filter(isPhoto),
    isList: field.role === 'photos',
  }));

/** The photos that a request is made of. */
export const photosOf = (request: GenerateRequest): readonly PhotoRef[] =>
  photoFieldsOf(request).flatMap(({ refs }) => refs);

/** Everything of a request but the photos, as the service takes it. `filter`: the filter that the chosen alias or number stands for. */
export function optionsOf(
  request: GenerateRequest,
  filter: number | string | undefined = filterOf(request)?.choice.id,
): Readonly<Record<string, unknown>> {
  const sent = partsOf(request, 'filter', 'text', 'option').flatMap(({ name, field, value }) => {
    if (field.role === 'filter') return [[name, filter]];
    const isLeftOut =
      field.role === 'option' && field.needsNumber !== undefined && typeof filter !== 'number';
    return isLeftOut ? [] : [[name, value]];
  });
  return Object.fromEntries(sent);
}

/** The same request for another photo, which takes the place of all its photos. */
export function withPhoto(request: GenerateRequest, photo: PhotoRef): GenerateRequest {
  const [field] = photoFieldsOf(request);
  return field === undefined ? request : { ...request, [field.name]: field.isList ? [photo] : photo };
}

/** The texts that a person wrote in a request. */
export const textsOf = (request: GenerateRequest): readonly string[] =>
  partsOf(request, 'text').flatMap(({ value }) => (typeof value === 'string' ? value : []));

/** The filter or style of a request. */
export function filterOf(
  request: GenerateRequest,
): (FilterSource & { readonly choice: FilterChoice }) | undefined {
  const [found] = partsOf(request, 'filter').flatMap(({ field, value }) =>
    field.role === 'filter' && isFilter(value) ? { ...field.filters, choice: value } : [],
  );
  return found;
}

/** The text that a person would type to choose this filter. */
export const typedFilter = (filter: FilterChoice): string =>
  filter.by === 'alias' ? filter.name : String(filter.id);

/** A single value of an option, as `Field` allows it. */
const isOptionValue = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

function givenOf({ name, value }: Part): Given {
  if (Array.isArray(value)) {
    const named = value
      .filter(isPhoto)
      .map((each, index) => [index === 0 ? 'photo' : `photo${index + 1}`, each]);
    return Object.fromEntries(named);
  }
  if (isFilter(value)) return { [name]: typedFilter(value) };
  if (isPhoto(value) || isOptionValue(value)) return { [name]: value };
  // A job that is repeated without it would be another one.
  throw new Error(`the field ${name} cannot be given as an option`);
}

/** Turns a request back into its command and options, so that repeating it passes every check. */
export function givenFrom(request: GenerateRequest): { readonly command: string; readonly given: Given } {
  const { command, chosenBy } = KINDS[request.kind];
  const parts = partsOf(request, 'photo', 'photos', 'filter', 'text', 'option');
  return { command, given: Object.assign({ ...chosenBy }, ...parts.map(givenOf)) };
}

/** Whether the command of a request has this option for what it makes. */
export function takesOption({ kind }: GenerateRequest, option: string): boolean {
  const { fields, chosenBy } = KINDS[kind];
  return Object.hasOwn(fields, option) || Object.hasOwn(chosenBy ?? {}, option);
}

/** What a request says for this option, as it is typed; undefined: nothing. */
export function typedOption(request: GenerateRequest, option: string): string | undefined {
  const value = takesOption(request, option) ? givenFrom(request).given[option] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a request says that its photo shows a child. */
export const isForMinor = (request: GenerateRequest): boolean =>
  'gender' in request && isMinor(request.gender);

/** Commands that make something: consent, pause and blocked words apply. */
export const generatingCommands: ReadonlySet<string> = new Set(jobKinds.map(commandOf));

/** Commands that can be repeated with another filter. */
const filteringCommands = new Set(
  jobKinds.filter((kind) => fieldsOf(kind).some(([, { role }]) => role === 'filter')).map(commandOf),
);

/** Buttons of a result that start another job. */
export const FOLLOW_UPS = ['other', 'animate'] as const;

/** Whether a result of this kind has this button. A button that starts no other job is not decided here. */
export function hasFollowUp(kind: JobKind, verb: string): boolean {
  if (verb === 'other') return filteringCommands.has(commandOf(kind));
  return verb !== 'animate' || KINDS[kind].output === 'image';
}

/** A filter under the same name in every list that has it: `face:12`, `mine:<UUID>`, `alias:<name>`. `value`: what is typed. */
export function filterKey(catalog: FilterListName, value: string): string {
  if (/^\d+$/.test(value)) return `${catalog}:${value}`;
  return ALIAS_NAME.test(value) ? `alias:${value}` : `mine:${value.toLowerCase()}`;
}

/** The filter of a request; undefined: it has none. */
export function filterKeyOf(request: GenerateRequest): string | undefined {
  const filter = filterOf(request);
  return filter && filterKey(filter.list, typedFilter(filter.choice));
}
