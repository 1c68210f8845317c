import { z } from 'zod';
import type { VideoModel } from '../kinds/choices.ts';
import type { Field } from '../kinds/field.ts';
import { type JobKind, jobKinds, KINDS, type KindRow, type Prices } from '../kinds/kinds.ts';
import { STATUS_PATHS } from '../kinds/status-paths.ts';
import { type Assumptions, assumedName } from './wire/assumptions.ts';
import { ruleError } from './wire/errors.ts';
import { imageOnWire, imageRule, imagesRule, isImageInput } from './wire/inputs.ts';
import { encodeBody, type RequestBody } from './wire/request-body.ts';

/** Credits for four seconds of video. */
export type VideoCredits = Record<VideoModel, number>;

/** In credits, by the options that are chosen. */
export interface PriceRange {
  readonly least: number;
  readonly most: number;
}

/** A value for each field of the row of its kind, by which it is checked before anything is sent. */
type Input = Readonly<Record<string, unknown>>;

/** What is asked of the service. */
export interface GenerationRequest {
  readonly endpoint: JobKind;
  readonly input: Input;
}

/** The endpoints of all kinds, as their rows say. */
export function createEndpoints(assumptions: Assumptions, videoCredits: VideoCredits) {
  const prices: Prices = {
    ...assumptions.credits,
    video: (model, duration) => Math.ceil((videoCredits[model] * Number.parseInt(duration, 10)) / 4),
  };
  const endpoints = new Map<string, Endpoint>(
    jobKinds.map((kind) => [kind, createEndpoint(kind, KINDS[kind], assumptions, prices)]),
  );
  return {
    /** Throws where there is none: names also come from stored jobs, which another version may have written. */
    of(kind: string): Endpoint {
      const endpoint = endpoints.get(kind);
      if (endpoint === undefined) throw ruleError('request', 'There is no such endpoint.');
      return endpoint;
    },
  };
}

type Endpoint = ReturnType<typeof createEndpoint>;

function createEndpoint(kind: JobKind, row: KindRow, assumptions: Assumptions, prices: Prices) {
  const { path, credentials, output, status } = row;
  const fields = Object.entries(row.fields);
  const options = optionsRule(row);
  const photos = photosRule(fields);
  const { family, path: statusPath } = STATUS_PATHS[status];

  return {
    path,
    credentials,
    output,
    family,
    /** Contains `{id}`. */
    statusPath: status === 'classic' ? assumptions.paths.classicStatus : statusPath,

    /** In credits; throws the first rule that is broken. The photos need not be there yet. */
    price: (input: Input): number => row.price(prices, obeying(options, kind, input)),

    /** The same before anything is chosen; undefined: it is not known. */
    prices(): PriceRange | undefined {
      const costs = choicesIn(options).flatMap((chosen) => {
        const { data } = options.safeParse(chosen);
        return data === undefined ? [] : [row.price(prices, data)];
      });
      return costs.length === 0 ? undefined : { least: Math.min(...costs), most: Math.max(...costs) };
    },

    toBody(input: Input): RequestBody {
      const given: Input = { ...obeying(photos, kind, input), ...obeying(options, kind, input) };
      const sent = fields.flatMap(([name, field]) => {
        const wire = row.areNamesAssumed ? assumedName(assumptions, kind, name) : field.wire;
        return wire == null ? [] : [[wire, onWire(given[name], field, output)]];
      });
      return encodeBody(Object.fromEntries(sent));
    },
  };
}

type Fields = readonly (readonly [string, Field])[];

function photosRule(fields: Fields): z.ZodObject {
  const rules = fields.flatMap(([name, field]): [string, z.ZodType][] => {
    if (field.role === 'photo') return [[name, imageRule(field.what)]];
    return field.role === 'photos' ? [[name, imagesRule(field.what)]] : [];
  });
  return z.object(Object.fromEntries(rules));
}

/** Everything but the photos. */
function optionsRule({ fields, rules = [] }: KindRow): z.ZodObject {
  const all = Object.entries(fields);
  const shape = all.flatMap(([name, field]) => ('sent' in field ? [[name, field.sent]] : []));
  const filter = all.find(([, { role }]) => role === 'filter')?.[0] ?? '';
  const numbersOnly = all.flatMap(([name, field]) =>
    field.role === 'option' && field.needsNumber !== undefined
      ? {
          holds: (values: Input) => values[name] === undefined || typeof values[filter] === 'number',
          message: field.needsNumber,
        }
      : [],
  );
  return [...rules, ...numbersOnly].reduce(
    (schema, { holds, message }) => schema.refine((values) => holds(values), message),
    z.object(Object.fromEntries(shape)),
  );
}

/** A value as the service takes it. */
function onWire(value: unknown, field: Field, output: KindRow['output']): unknown {
  if (Array.isArray(value)) return value.map((each) => onWire(each, field, output));
  if (isImageInput(value)) return imageOnWire(value, output);
  if (field.role !== 'option' || field.isNumbered === undefined || value === undefined) return value;
  return valuesOf(field.schema).indexOf(value);
}

/** Every choice that a price can depend on, also those that do not go together. */
function choicesIn({ shape }: z.ZodObject): readonly Input[] {
  return Object.entries(shape).reduce<readonly Input[]>(
    (all, [name, field]) =>
      valuesOf(field).flatMap((value) => all.map((each) => ({ ...each, [name]: value }))),
    [{}],
  );
}

/** What can be chosen; of a number or a text, one that is taken. */
function valuesOf(field: unknown): readonly unknown[] {
  if (field instanceof z.ZodOptional) return [undefined, ...valuesOf(field.unwrap())];
  if (field instanceof z.ZodDefault) return valuesOf(field.unwrap());
  if (field instanceof z.ZodEnum) return field.options;
  if (field instanceof z.ZodLiteral) return [...field.values];
  return [true, false, 1, 'a text'].filter(
    (value) => field instanceof z.ZodType && field.safeParse(value).success,
  );
}

/** Throws the first rule that the input breaks. */
function obeying<Schema extends z.ZodType>(schema: Schema, endpoint: string, input: Input): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw ruleError(endpoint, parsed.error.issues[0]?.message ?? 'The request is not valid.');
}
