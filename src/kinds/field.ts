import { z } from 'zod';
import { UUID_SHAPE } from '../base/uuid.ts';
import type { FilterListName, FilterModel } from './choices.ts';

/** The list that a filter number refers to, and the model of its filters. */
export interface FilterSource {
  readonly model: FilterModel;
  readonly list: FilterListName;
}

interface Named {
  /** The name of the field in the request to the service. */
  readonly wire: string;
  /** A person may leave the field out. */
  readonly isOptional?: true;
}

interface Sent extends Named {
  /** The service's rule for the value, with a message that states it. */
  readonly sent: z.ZodType;
}

/** A field for photos. `what` names the photo in the message that refuses it. */
type PhotoField = Named & { readonly role: 'photo' | 'photos'; readonly what: string };

type FilterField = Sent & { readonly role: 'filter'; readonly filters: FilterSource };

type TextField = Sent & { readonly role: 'text' };

type Value = string | number | boolean;

type OptionField = Sent & {
  readonly role: 'option';
  /** The schema of the value as it is chosen and stored. */
  readonly schema: z.ZodType<Value>;
  /** The position of the value among its choices is sent instead of the value. */
  readonly isSentAsPosition?: true;
  /** The message for when the filter is not a catalog number, with which alone the service accepts this option. */
  readonly needsNumber?: string;
};

/**
 * A field that the service requires and that has one possible value, so no person chooses it and no request of a person
 * contains it.
 */
type ConstantField = Sent & { readonly role: 'constant' };

/**
 * A field of a request. Its role decides what the program does with it: photos are fetched, filters are resolved, texts are
 * checked for blocked words, options are sent as they were chosen.
 */
export type Field = PhotoField | FilterField | TextField | OptionField | ConstantField;

/** A field for one photo. */
export const photo = (wire: string, what = 'The photo') => ({ role: 'photo', wire, what }) as const;

/** A field for a list of photos. */
export const photos = (wire: string) => ({ role: 'photos', wire, what: 'Each photo' }) as const;

/** A field for a text that describes the result. */
export const prompt = (wire: string) =>
  ({
    role: 'text',
    wire,
    sent: z.string('A prompt is needed.').trim().min(1, 'A prompt is needed.'),
  }) as const;

const filterFrom = <Rule extends z.ZodType<number | string>>(
  wire: string,
  filters: FilterSource,
  sent: Rule,
) => ({ role: 'filter', wire, filters, sent }) as const;

const FILTER_RULE = 'The filter must be a catalog number or the UUID of a custom filter.';
const STYLE_RULE = 'The style must be a number from 1 to 25 or the UUID of a custom filter.';
const CLASSIC_RULE = 'The classic look takes a style number from its catalog, not a UUID.';

const catalogNumber = (rule: string) => z.int(rule).min(0, rule);
const uuid = (rule: string) => z.string(rule).regex(UUID_SHAPE, rule);

/** A field for a filter of one face: a catalog number or a UUID. */
export const filter = (wire: string, list: FilterListName) =>
  filterFrom(
    wire,
    { model: 'face', list },
    z.union([catalogNumber(FILTER_RULE), uuid(FILTER_RULE)], FILTER_RULE),
  );

/** A field for a style of a group: a number from 1 to 25 or a UUID. */
export const style = (wire: string, list: FilterListName) =>
  filterFrom(
    wire,
    { model: 'group', list },
    z.union([z.int(STYLE_RULE).min(1, STYLE_RULE).max(25, STYLE_RULE), uuid(STYLE_RULE)], STYLE_RULE),
  );

/** A field for a classic style of a group, which has a catalog number only. */
export const classicStyle = (wire: string) =>
  filterFrom(wire, { model: 'group', list: 'classic' }, catalogNumber(CLASSIC_RULE));

const option = <Schema extends z.ZodType<Value>>(wire: string, schema: Schema) =>
  ({ role: 'option', wire, schema, sent: schema }) as const;

/** An option with a fixed list of values. */
export const choice = <const Each extends string>(wire: string, values: readonly Each[], rule: string) =>
  option(wire, z.enum(values, rule));

/** An option that is on or off. */
export const flag = (wire: string, rule: string) => option(wire, z.boolean(rule));

/** A field with one possible value. */
export const constant = <const Only extends string>(wire: string, value: Only, rule: string) =>
  ({ role: 'constant', wire, sent: z.literal(value, rule).default(value) }) as const;

/** Makes an option that is sent as the position of its value among its choices. */
export const sentAsPosition = <Each extends OptionField>(field: Each) =>
  ({ ...field, isSentAsPosition: true }) as const;

/** Makes an option that the service accepts only with a filter that is a catalog number. */
export const withFilterNumberOnly = <Each extends OptionField>(field: Each, rule: string) =>
  ({ ...field, needsNumber: rule }) as const;

/** Makes an option that a person may leave out; it is not sent then. */
export const optional = <Each extends OptionField>(field: Each) => ({
  ...alwaysGiven(field),
  isOptional: true as const,
});

/** Makes an option that the service does not require, but that the command always gives. */
export const alwaysGiven = <Each extends OptionField>(field: Each) => ({
  ...field,
  sent: field.schema.optional(),
});
