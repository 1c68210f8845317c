import { z } from 'zod';
import { fromSpec } from '../spec.ts';
import type { Payload } from './payload.ts';

const field = z.object({ name: z.string(), types: z.array(z.string()), required: z.boolean() });
const specSchema = z.object({
  methods: z.record(z.string(), z.object({ fields: z.array(field).optional() })),
  types: z.record(
    z.string(),
    z.object({ fields: z.array(field).optional(), subtypes: z.array(z.string()).optional() }),
  ),
});
type Spec = z.infer<typeof specSchema>;
type Field = z.infer<typeof field>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types of values as `typeof` names them; a file is none of the values. */
const PLAIN: Readonly<Record<string, string>> = {
  Float: 'number',
  Boolean: 'boolean',
  String: 'string',
  InputFile: 'none',
};

const createCheck = (spec: Spec) => {
  const fits = (value: unknown, type: string): boolean => {
    if (type.startsWith('Array of '))
      return Array.isArray(value) && value.every((each) => fits(each, type.slice(9)));
    if (type === 'Integer') return Number.isInteger(value);
    const plain = PLAIN[type];
    return plain === undefined ? fitsObject(value, type) : typeof value === plain;
  };
  const fitsObject = (value: unknown, type: string): boolean => {
    const found = spec.types[type];
    if (found === undefined) return false;
    // `RichText` may be a text or a list, too.
    if (found.subtypes?.length) return found.subtypes.some((each) => fits(value, each));
    return isRecord(value) && wrongIn(value, found.fields ?? []) === undefined;
  };
  /** Says what is wrong with these fields, if anything. */
  const wrongIn = (given: Record<string, unknown>, fields: readonly Field[]): string | undefined => {
    for (const each of fields) {
      const value = given[each.name];
      if (value === undefined) {
        if (each.required) return `${each.name} is missing`;
      } else if (!each.types.some((type) => fits(value, type)))
        return `${each.name} is not ${each.types.join(' or ')}: ${JSON.stringify(value).slice(0, 200)}`;
    }
    const known = new Set(fields.map((each) => each.name));
    const unknown = Object.keys(given).find((name) => !known.has(name));
    return unknown === undefined ? undefined : `${unknown} is no field of it`;
  };
  return (method: string, payload: Payload): string | undefined => {
    const found = spec.methods[method];
    if (found === undefined) return `${method}: no such method`;
    // A file that was uploaded under the field's own name fits wherever a file may stand.
    const fields = (found.fields ?? []).filter((each) => !payload.files.has(each.name));
    const wrong = wrongIn({ ...payload.values }, fields);
    return wrong === undefined ? undefined : `${method}: ${wrong}`;
  };
};

/** Checks calls against the official description where it is at hand. */
export const createSpecCheck = fromSpec('telegram-bot-api.json', (spec) =>
  createCheck(specSchema.parse(spec)),
);
