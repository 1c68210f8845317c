import { z } from 'zod';
import type { StatusFamily } from './result/status-report.ts';
import type { Assumptions } from './wire/assumptions.ts';
import { ruleError } from './wire/errors.ts';
import { onWire } from './wire/inputs.ts';
import { encodeBody, type RequestBody } from './wire/request-body.ts';

/** Credits for four seconds of video, by model. */
export interface VideoCredits {
  simple: number;
  advanced: number;
  performance: number;
}

/** In credits, by the options that are chosen. */
export interface PriceRange {
  readonly least: number;
  readonly most: number;
}

interface StatusPath {
  /** Contains `{id}`. */
  statusPath: (assumptions: Assumptions) => string;
  /** Whose words for the states of a job it uses. */
  family: StatusFamily;
}

/** Their names are stored: a job's id at the service is unique within one path. */
const STATUS_PATHS = {
  'face-v6': { statusPath: () => '/v6/status/{id}', family: 'face-v6' },
  'face-v5': { statusPath: () => '/v5/status/{id}', family: 'face-v6' },
  'face-v2': { statusPath: () => '/v2/status/{id}', family: 'general' },
  realistic: { statusPath: () => '/v5/status_multi_swap/{id}', family: 'multi-v5' },
  stylized: { statusPath: () => '/v1/status_stylized_multi_swap/{id}', family: 'general' },
  classic: { statusPath: ({ paths }) => paths.classicStatus, family: 'general' },
  video: { statusPath: () => '/v1/status/single_frame_video/{id}', family: 'video' },
} as const satisfies Readonly<Record<string, StatusPath>>;

/** `null` leaves a field out. */
type Names<Photos extends z.ZodObject, Options extends z.ZodObject> = {
  readonly [Field in keyof z.output<Photos> | keyof z.output<Options>]: string | null;
};

interface RowSpec<Photos extends z.ZodObject, Options extends z.ZodObject> {
  path: string;
  /** A job is polled on the path of its own family and version. */
  status: keyof typeof STATUS_PATHS;
  credentials: 'key' | 'token';
  output: 'image' | 'video';
  photos: Photos;
  /** Everything but the photos, with every rule of the interface, each with a message that states it. */
  options: Options;
  /** Of the fields on the wire, in their order. */
  names: (assumed: Assumptions['fields']) => Names<Photos, Options>;
  cost: (options: z.output<Options>, prices: Prices) => number;
}

/** Binds a row to its own input type, so that users of the table need no cast. */
export function row<Photos extends z.ZodObject, Options extends z.ZodObject>(spec: RowSpec<Photos, Options>) {
  const polled: StatusPath = STATUS_PATHS[spec.status];
  return {
    ...spec,
    ...polled,
    /** The photos need not be there yet. */
    price: (endpoint: string, input: unknown, prices: Prices): number =>
      spec.cost(obeying(spec.options, endpoint, input), prices),
    prices(prices: Prices): PriceRange | undefined {
      const costs = choicesIn(spec.options).flatMap((options) => {
        const { data } = spec.options.safeParse(options);
        return data === undefined ? [] : [spec.cost(data, prices)];
      });
      return costs.length === 0 ? undefined : { least: Math.min(...costs), most: Math.max(...costs) };
    },
    toBody(endpoint: string, input: unknown, assumptions: Assumptions): RequestBody {
      const given: Readonly<Record<string, unknown>> = {
        ...obeying(spec.photos, endpoint, input),
        ...obeying(spec.options, endpoint, input),
      };
      const names: Readonly<Record<string, string | null>> = spec.names(assumptions.fields);
      const fields = Object.entries(names).flatMap(([field, name]) =>
        name === null ? [] : [[name, onWire(field, given[field], spec.output)]],
      );
      return encodeBody(Object.fromEntries(fields));
    },
  };
}

/** Every choice that a price can depend on, also those that do not go together. */
function choicesIn({ shape }: z.ZodObject): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(shape).reduce<Readonly<Record<string, unknown>>[]>(
    (all, [name, field]) =>
      valuesOf(field).flatMap((value) => all.map((each) => ({ ...each, [name]: value }))),
    [{}],
  );
}

/** What can be chosen; of a number or a text, one that is taken. */
function valuesOf(field: unknown): readonly unknown[] {
  if (field instanceof z.ZodOptional) return [undefined, ...valuesOf(field.unwrap())];
  if (field instanceof z.ZodEnum) return field.options;
  if (field instanceof z.ZodLiteral) return [...field.values];
  return [true, false, 1, 'a text'].filter(
    (value) => field instanceof z.ZodType && field.safeParse(value).success,
  );
}

/** Throws the first rule that the input breaks. */
function obeying<Schema extends z.ZodType>(
  schema: Schema,
  endpoint: string,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw ruleError(endpoint, parsed.error.issues[0]?.message ?? 'The request is not valid.');
}

type Prices = ReturnType<typeof createPrices>;

/** Prices that the interface does not fix. */
export function createPrices(flat: Assumptions['credits'], credits: VideoCredits) {
  const video = (model: keyof VideoCredits, duration: '4s' | '6s' | '8s') =>
    Math.ceil((credits[model] * Number.parseInt(duration, 10)) / 4);
  return { ...flat, video };
}
