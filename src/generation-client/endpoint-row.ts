import type { z } from 'zod';
import type { StatusFamily } from './result/status-words.ts';
import type { Assumptions } from './wire/assumptions.ts';
import { ruleError } from './wire/errors.ts';
import { encodeBody, type RequestBody } from './wire/request-body.ts';

/** Credits for four seconds of video, by model. */
export interface VideoCredits {
  simple: number;
  advanced: number;
  performance: number;
}

interface RowSpec<Photos extends z.ZodObject, Options extends z.ZodType<object>> {
  path: string;
  /** Contains `{id}`. A job is polled on the path of its own family and version. */
  statusPath: (assumptions: Assumptions) => string;
  family: StatusFamily;
  credentials: 'key' | 'token';
  output: 'image' | 'video';
  model: 'face' | 'group' | 'video';
  photos: Photos;
  /** Everything but the photos, with every rule of the interface, each with a message that states it. */
  options: Options;
  body: (input: z.output<Photos> & z.output<Options>, assumptions: Assumptions) => Record<string, unknown>;
  cost: (options: z.output<Options>, prices: Prices) => number;
}

/** Binds a row to its own input type, so that users of the table need no cast. */
export function row<Photos extends z.ZodObject, Options extends z.ZodType<object>>(
  spec: RowSpec<Photos, Options>,
) {
  return {
    ...spec,
    /** The photos need not be there yet. */
    price: (endpoint: string, input: unknown, prices: Prices): number =>
      spec.cost(obeying(spec.options, endpoint, input), prices),
    toBody(endpoint: string, input: unknown, assumptions: Assumptions): RequestBody {
      const photos = obeying(spec.photos, endpoint, input);
      const options = obeying(spec.options, endpoint, input);
      // Configuration switches a field off by an empty name.
      const { '': _switchedOff, ...body } = spec.body({ ...photos, ...options }, assumptions);
      return encodeBody(body);
    },
  };
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
