import { z } from 'zod';
import { UUID_SHAPE } from '../base/uuid.ts';
import type { ListName, ModelType } from './choices.ts';

/** What numbers of filters refer to. */
export interface Filters {
  readonly model: ModelType;
  readonly list: ListName;
}

interface Named {
  /** The name of the field in the request to the service. */
  readonly wire: string;
  /** A person may leave it out. */
  readonly isOptional?: true;
}

interface Sent extends Named {
  /** The service's rule for the value, with a message that states it. */
  readonly sent: z.ZodType;
}

/** `what` names the photo in the message that refuses it. */
type PhotoField = Named & { readonly role: 'photo' | 'photos'; readonly what: string };

type FilterField = Sent & { readonly role: 'filter'; readonly filters: Filters };

type TextField = Sent & { readonly role: 'text' };

type Value = string | number | boolean;

type OptionField = Sent & {
  readonly role: 'option';
  /** The value as it is chosen and stored. */
  readonly schema: z.ZodType<Value>;
  /** The service is sent the position of the value among its choices. */
  readonly isNumbered?: true;
  /** The service takes it only with a filter that is a catalog number; this message states it. */
  readonly needsNumber?: string;
};

/** The service wants it, and it has one value, so no person chooses it and no request of a person has it. */
type ConstantField = Sent & { readonly role: 'constant' };

/**
 * A field of a request. Its role says what the program does with it: photos are fetched, filters are resolved, texts are checked for
 * blocked words, options are sent as they were chosen.
 */
export type Field = PhotoField | FilterField | TextField | OptionField | ConstantField;

export const photo = (wire: string, what = 'The photo') => ({ role: 'photo', wire, what }) as const;

export const photos = (wire: string) => ({ role: 'photos', wire, what: 'Each photo' }) as const;

export const prompt = (wire: string) =>
  ({
    role: 'text',
    wire,
    sent: z.string('A prompt is needed.').trim().min(1, 'A prompt is needed.'),
  }) as const;

const filterFrom = <Rule extends z.ZodType<number | string>>(wire: string, filters: Filters, sent: Rule) =>
  ({ role: 'filter', wire, filters, sent }) as const;

const FILTER_RULE = 'The filter must be a catalog number or the UUID of a custom filter.';
const STYLE_RULE = 'The style must be a number from 1 to 25 or the UUID of a custom filter.';
const CLASSIC_RULE = 'The classic look takes a style number from its catalog, not a UUID.';

const catalogNumber = (rule: string) => z.int(rule).min(0, rule);
const uuid = (rule: string) => z.string(rule).regex(UUID_SHAPE, rule);

export const filter = (wire: string, list: ListName) =>
  filterFrom(
    wire,
    { model: 'face', list },
    z.union([catalogNumber(FILTER_RULE), uuid(FILTER_RULE)], FILTER_RULE),
  );

export const style = (wire: string, list: ListName) =>
  filterFrom(
    wire,
    { model: 'group', list },
    z.union([z.int(STYLE_RULE).min(1, STYLE_RULE).max(25, STYLE_RULE), uuid(STYLE_RULE)], STYLE_RULE),
  );

export const classicStyle = (wire: string) =>
  filterFrom(wire, { model: 'group', list: 'classic' }, catalogNumber(CLASSIC_RULE));

const option = <Schema extends z.ZodType<Value>>(wire: string, schema: Schema) =>
  ({ role: 'option', wire, schema, sent: schema }) as const;

export const choice = <const Each extends string>(wire: string, values: readonly Each[], rule: string) =>
  option(wire, z.enum(values, rule));

export const flag = (wire: string, rule: string) => option(wire, z.boolean(rule));

export const constant = <const Only extends string>(wire: string, value: Only, rule: string) =>
  ({ role: 'constant', wire, sent: z.literal(value, rule).default(value) }) as const;

/** The service is sent the position of the value among its choices. */
export const numbered = <Each extends OptionField>(field: Each) => ({ ...field, isNumbered: true }) as const;

/** The service takes it only with a filter that is a catalog number. */
export const withNumberOnly = <Each extends OptionField>(field: Each, rule: string) =>
  ({ ...field, needsNumber: rule }) as const;

/** A person may leave it out, and then it is not sent. */
export const optional = <Each extends OptionField>(field: Each) => ({
  ...givenAnyway(field),
  isOptional: true as const,
});

/** The service takes requests without it, but the command always gives it. */
export const givenAnyway = <Each extends OptionField>(field: Each) => ({
  ...field,
  sent: field.schema.optional(),
});
