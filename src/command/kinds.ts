import { z } from 'zod';
import { defined } from '../base/defined.ts';
import { PLATFORMS } from '../platforms/platforms.ts';
import type { Given } from './option.ts';
import type { PhotoRef } from './photo.ts';
import { ALIAS_NAME } from './read-arguments.ts';
import {
  ASPECTS,
  DURATIONS,
  type FilterChoice,
  GENDERS,
  type ListName,
  type ModelType,
  QUALITIES,
  RATIOS,
  VIDEO_MODELS,
} from './request.ts';

/**
 * Each kind of job: one run endpoint of the generation service, with the same name (`generation-client/endpoints.ts`). What a
 * request holds, its stored shape, its photos, texts, filter and label, and the options that repeat it all come from this table.
 */

/** For checks alone: fields that it does not name pass, such as those of a newer version, and what it returns lacks them. */
const stored = <Value>(schema: z.ZodType): z.ZodType<Value> => schema as z.ZodType<Value>;

/** A photo as it is stored. */
export const photoShape = stored<PhotoRef>(
  z.discriminatedUnion('from', [
    z.object({ from: z.enum(PLATFORMS), ref: z.string() }),
    z.object({ from: z.literal('link'), url: z.string() }),
    z.object({ from: z.literal('face'), name: z.string() }),
  ]),
);
const filterChoice = stored<FilterChoice>(
  z.discriminatedUnion('by', [
    z.object({ by: z.literal('number'), id: z.number(), name: z.string() }),
    z.object({ by: z.enum(['uuid', 'alias']), id: z.string(), name: z.string() }),
  ]),
);

/** What a filter is chosen from. */
interface Filters {
  readonly model: ModelType;
  /** The list that numbers refer to. */
  readonly list: ListName;
}

/** `role`: what the rest of the program does with it; a text is checked for blocked words, a photo is fetched. */
type Field = { readonly isOptional?: true; readonly filters?: Filters } & (
  | { readonly role: 'photo'; readonly schema: z.ZodType<PhotoRef> }
  | { readonly role: 'photos'; readonly schema: z.ZodType<readonly PhotoRef[]> }
  | { readonly role: 'filter'; readonly schema: z.ZodType<FilterChoice> }
  | { readonly role: 'text'; readonly schema: z.ZodType<string> }
  | { readonly role: 'option'; readonly schema: z.ZodType<string | number | boolean> }
);

const photo = { role: 'photo', schema: photoShape } as const;
const photos = { role: 'photos', schema: stored<readonly PhotoRef[]>(z.array(photoShape)) } as const;
const text = { role: 'text', schema: z.string() } as const;
const flag = { role: 'option', schema: z.boolean() } as const;

const filterFrom = (model: ModelType, list: ListName) =>
  ({ role: 'filter', schema: filterChoice, filters: { model, list } }) as const;

const choice = <const Value extends string>(values: readonly Value[]) =>
  ({ role: 'option', schema: z.enum(values) }) as const;

const optional = <Each extends Field>(field: Each) => ({ ...field, isOptional: true }) as const;

interface Kind {
  readonly command: string;
  /** The options of the command that choose this kind. */
  readonly chosenBy?: Given;
  readonly fields: Readonly<Record<string, Field>>;
  readonly output: 'image' | 'video';
}

function faceSwap(engine: string, list: ListName) {
  return {
    command: 'faceswap',
    chosenBy: { engine },
    fields: {
      photo,
      filter: filterFrom('face', list),
      gender: choice(GENDERS),
      ratio: optional(choice(RATIOS)),
    },
    output: 'image',
  } as const;
}

function groupSwap(look: ListName) {
  return {
    command: 'groupswap',
    chosenBy: { look },
    fields: { photo, style: filterFrom('group', look), outpaint: flag },
    output: 'image',
  } as const;
}

function groupPrompt(look: string) {
  return {
    command: 'groupswap',
    chosenBy: { look },
    fields: { photos, prompt: text },
    output: 'image',
  } as const;
}

const faceSwapV6 = faceSwap('v6', 'face');

export const KINDS = {
  'face-swap-v6': {
    ...faceSwapV6,
    fields: { ...faceSwapV6.fields, quality: optional(choice(QUALITIES)) },
  },
  'face-swap-v5': faceSwap('v5', 'face'),
  'face-swap-v1': faceSwap('v1', 'face-v1'),
  'self-prompt': {
    command: 'faceswap',
    fields: { photo, prompt: text, gender: optional(choice(GENDERS)), ratio: optional(choice(RATIOS)) },
    output: 'image',
  },
  'multi-swap-realistic': groupSwap('realistic'),
  'multi-swap-realistic-prompt': groupPrompt('realistic'),
  'multi-swap-stylized': groupSwap('stylized'),
  'multi-swap-stylized-prompt': groupPrompt('stylized'),
  'multi-swap-classic': {
    command: 'groupswap',
    chosenBy: { look: 'classic' },
    fields: { photos, style: filterFrom('group', 'classic') },
    output: 'image',
  },
  'single-frame-video': {
    command: 'animate',
    fields: {
      photo,
      prompt: text,
      model: choice(VIDEO_MODELS),
      duration: choice(DURATIONS),
      aspect: choice(ASPECTS),
    },
    output: 'video',
  },
  'first-last-frame-video': {
    command: 'transition',
    fields: { first: photo, last: photo, prompt: text, duration: choice(DURATIONS) },
    output: 'video',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type JobKind = keyof typeof KINDS;

type Optional<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { isOptional: true } ? Name : never;
}[keyof Fields];
type RequestWith<Fields extends Readonly<Record<string, Field>>> = {
  readonly [Name in Exclude<keyof Fields, Optional<Fields>>]: z.output<Fields[Name]['schema']>;
} & { readonly [Name in Optional<Fields>]?: z.output<Fields[Name]['schema']> };

/** What a user asked for. */
export type GenerateRequest = {
  [Name in JobKind]: { readonly kind: Name } & RequestWith<(typeof KINDS)[Name]['fields']>;
}[JobKind];

const isJobKind = (name: string): name is JobKind => Object.hasOwn(KINDS, name);

export const jobKinds: readonly JobKind[] = Object.keys(KINDS).filter(isJobKind);

const fieldsOf = (kind: JobKind): readonly (readonly [string, Field])[] =>
  Object.entries<Field>(KINDS[kind].fields);

const shapes = jobKinds.map((kind) => {
  const fields = fieldsOf(kind).map(([name, { schema, isOptional }]) => [
    name,
    isOptional ? schema.optional() : schema,
  ]);
  return z.object({ ...Object.fromEntries(fields), kind: z.literal(kind) });
});

/** A request as it is stored. */
export const requestShape = stored<GenerateRequest>(
  z.discriminatedUnion('kind', shapes as [(typeof shapes)[number]]),
);

interface Part {
  readonly name: string;
  readonly role: Field['role'];
  readonly filters?: Filters;
  readonly value: unknown;
}

function partsOf(request: GenerateRequest, ...roles: readonly Field['role'][]): readonly Part[] {
  const values: Readonly<Record<string, unknown>> = request;
  return fieldsOf(request.kind)
    .filter(([name, { role }]) => roles.includes(role) && values[name] !== undefined)
    .map(([name, { role, filters }]) => ({ name, role, value: values[name], ...defined({ filters }) }));
}

const isPhoto = (value: unknown): value is PhotoRef =>
  typeof value === 'object' && value !== null && 'from' in value;

const isFilter = (value: unknown): value is FilterChoice =>
  typeof value === 'object' && value !== null && 'by' in value;

/** The photos that a request is made of. */
export function photosOf(request: GenerateRequest): readonly PhotoRef[] {
  return partsOf(request, 'photo', 'photos')
    .flatMap(({ value }) => value)
    .filter(isPhoto);
}

/** The same of another photo, alone. */
export function withPhoto(request: GenerateRequest, photo: PhotoRef): GenerateRequest {
  const [part] = partsOf(request, 'photo', 'photos');
  return part === undefined ? request : { ...request, [part.name]: part.role === 'photos' ? [photo] : photo };
}

/** What its user wrote. */
export const textsOf = (request: GenerateRequest): readonly string[] =>
  partsOf(request, 'text').flatMap(({ value }) => (typeof value === 'string' ? value : []));

/** Its filter or style. */
export function filterOf(
  request: GenerateRequest,
): (Filters & { readonly choice: FilterChoice }) | undefined {
  const [found] = partsOf(request, 'filter').flatMap(({ value, filters }) =>
    isFilter(value) && filters !== undefined ? { ...filters, choice: value } : [],
  );
  return found;
}

/** What a user would type to choose this filter. */
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
  const { command, chosenBy }: Kind = KINDS[request.kind];
  const parts = partsOf(request, 'photo', 'photos', 'filter', 'text', 'option');
  return { command, given: Object.assign({ ...chosenBy }, ...parts.map(givenOf)) };
}

/** The command that makes jobs of this kind; of an unknown kind, the kind itself. */
export const commandOf = (kind: string): string => (isJobKind(kind) ? KINDS[kind].command : kind);

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
export function filterKey(catalog: ListName, value: string): string {
  if (/^\d+$/.test(value)) return `${catalog}:${value}`;
  return ALIAS_NAME.test(value) ? `alias:${value}` : `mine:${value.toLowerCase()}`;
}

/** The filter of a request; undefined: it has none. */
export function filterKeyOf(request: GenerateRequest): string | undefined {
  const filter = filterOf(request);
  return filter && filterKey(filter.list, typedFilter(filter.choice));
}
