import type { z } from 'zod';
import type { StatusFamily } from './result/status-words.ts';
import type { Assumptions } from './wire/assumptions.ts';
import { ruleError } from './wire/errors.ts';
import { encodeBody, type RequestBody } from './wire/request-body.ts';

/** What a request costs where the interface leaves it to the operator. */
export type Prices = {
  face: number;
  group: number;
  video: (model: keyof VideoCredits, duration: '4s' | '6s' | '8s') => number;
};

/** Credits for four seconds of video, by model. */
export type VideoCredits = { simple: number; advanced: number; performance: number };

export type Prepared = {
  cost: number;
  body: () => RequestBody;
};

type RowSpec<Input extends z.ZodType> = {
  path: string;
  /** Contains `{id}`. A job is polled on the path of its own family and version. */
  statusPath: (assumptions: Assumptions) => string;
  family: StatusFamily;
  credentials: 'key' | 'token';
  output: 'image' | 'video';
  model: 'face' | 'group' | 'video';
  /** Every rule of the interface, each with a message that states it. */
  input: Input;
  body: (input: z.output<Input>, assumptions: Assumptions) => Record<string, unknown>;
  cost: (input: z.output<Input>, prices: Prices) => number;
};

/** Closes a row over its own input type, so that whoever walks the table needs no cast. */
export function row<Input extends z.ZodType>(spec: RowSpec<Input>) {
  return {
    ...spec,
    prepare(endpoint: string, input: unknown, assumptions: Assumptions, prices: Prices): Prepared {
      const parsed = spec.input.safeParse(input);
      if (!parsed.success) {
        throw ruleError(endpoint, parsed.error.issues[0]?.message ?? 'The request is not valid.');
      }
      const { data } = parsed;
      return { cost: spec.cost(data, prices), body: () => encode(spec.body(data, assumptions)) };
    },
  };
}

/** The nameless field is one that configuration switched off. */
function encode({ '': _switchedOff, ...body }: Record<string, unknown>): RequestBody {
  return encodeBody(body);
}

export function createPrices(flat: { face: number; group: number }, video: VideoCredits): Prices {
  return {
    ...flat,
    video: (model, duration) => Math.ceil((video[model] * Number.parseInt(duration, 10)) / 4),
  };
}
