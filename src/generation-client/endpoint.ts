import { z } from 'zod';
import type { VideoModel } from '../kinds/choices.ts';
import type { Field } from '../kinds/field.ts';
import { type JobKind, jobKinds, KINDS, type KindRow, type Prices } from '../kinds/kinds.ts';
import { STATUS_PATHS } from '../kinds/status-paths.ts';
import { type Assumptions, assumedName } from './wire/assumptions.ts';
import { ruleError } from './wire/errors.ts';
import { imageOnWire, imageRule, imagesRule, isImageInput } from './wire/inputs.ts';
import { encodeBody, type RequestBody } from './wire/request-body.ts';

/** Price in credits of four seconds of video, by model. */
export type VideoCredits = Record<VideoModel, number>;

/** The lowest and the highest price in credits, depending on the chosen options. */
export interface PriceRange {
  readonly least: number;
  readonly most: number;
}

/** A value for each field of the kind's row, by which it is validated before anything is sent. */
type Input = Readonly<Record<string, unknown>>;

/** A request to a run endpoint of the service. */
export interface GenerationRequest {
  readonly endpoint: JobKind;
  readonly input: Input;
}

/** Creates the endpoints of all kinds from their rows. */
export function createEndpoints(assumptions: Assumptions, videoCredits: VideoCredits) {
  const prices: Prices = {
    ...assumptions.credits,
    video: (model, duration) => Math.ceil((videoCredits[model] * Number.parseInt(duration, 10)) / 4),
  };
  const endpoints = new Map<string, Endpoint>(
    jobKinds.map((kind) => [kind, createEndpoint(kind, KINDS[kind], assumptions, prices)]),
  );
  return {
    /** Throws for an unknown kind: names also come from stored jobs, which another version may have written. */
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
    /** The path of status calls, with `{id}` in place of the job's id. */
    statusPath: status === 'classic' ? assumptions.paths.classicStatus : statusPath,

    /** The price in credits. Throws the first rule that is broken. The photos need not be present yet. */
    price: (input: Input): number => row.price(prices, obeying(options, kind, input)),

    /** The range of prices before anything is chosen; undefined if it is not known. */
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

/** The validation schema of all fields except photos. */
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

/** Converts a value to the form that the service expects. */
function onWire(value: unknown, field: Field, output: KindRow['output']): unknown {
  if (Array.isArray(value)) return value.map((each) => onWire(each, field, output));
  if (isImageInput(value)) return imageOnWire(value, output);
  if (field.role !== 'option' || field.isSentAsPosition === undefined || value === undefined) return value;
  return valuesOf(field.schema).indexOf(value);
}

/** All combinations of values on which a price can depend, including those that are not allowed together. */
function choicesIn({ shape }: z.ZodObject): readonly Input[] {
  return Object.entries(shape).reduce<readonly Input[]>(
    (all, [name, field]) =>
      valuesOf(field).flatMap((value) => all.map((each) => ({ ...each, [name]: value }))),
    [{}],
  );
}

/** The values that a field can have; for a number or a text, one valid value. */
function valuesOf(field: unknown): readonly unknown[] {
  if (field instanceof z.ZodOptional) return [undefined, ...valuesOf(field.unwrap())];
  if (field instanceof z.ZodDefault) return valuesOf(field.unwrap());
  if (field instanceof z.ZodEnum) return field.options;
  if (field instanceof z.ZodLiteral) return [...field.values];
  return [true, false, 1, 'a text'].filter(
    (value) => field instanceof z.ZodType && field.safeParse(value).success,
  );
}

/** Validates the input, or throws the first rule that it breaks. */
function obeying<Schema extends z.ZodType>(schema: Schema, endpoint: string, input: Input): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw ruleError(endpoint, parsed.error.issues[0]?.message ?? 'The request is not valid.');
}
