import { z } from 'zod';
import { fromSpec } from '../spec.ts';

/** Discord answers these; its description leaves them out. */
const UNLISTED = new Set(['POST /attachments/refresh-urls']);

type Schema = z.core.JSONSchema.JSONSchema;

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** A schema as Discord reads it: it allows nothing beyond the fields that it names, and bit sets also as digits in a string. */
const adapted = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { oneOf, ...rest } = value as Readonly<Record<string, unknown>>;
  const schema = { ...rest, ...(oneOf === undefined ? {} : { anyOf: oneOf }) } as typeof rest;
  if (Number(schema.maximum) > 2 ** 50) return { anyOf: [schema, { type: 'string', pattern: '^\\d+$' }] };
  const { properties, additionalProperties: more } = schema;
  if (typeof properties !== 'object' || typeof more === 'object') return schema;
  // Documented by Discord, and not yet in the description.
  return { ...schema, properties: { ...properties, file_types: {} }, additionalProperties: false };
};

/** Says what is wrong with a request; nothing when it is as described. */
export type CheckRequest = (method: string, path: string, query: URLSearchParams, body: unknown) => string[];

/** Checks requests against Discord’s official description, where it is on this machine. */
export const createRequestCheck = fromSpec('discord-openapi.json', (spec): CheckRequest => {
  const text = JSON.stringify(spec).replaceAll('#/components/schemas/', '#/$defs/');
  const { paths, components } = JSON.parse(text, adapted) as Description;
  const routes = Object.entries(paths).map(([path, operations]) => ({
    operations,
    literal: path.split('/').filter((part) => !part.startsWith('{')).length,
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`, 'u'),
  }));
  // `/messages/@original` is also a `/messages/{id}`: the more literal one is meant.
  routes.sort((a, b) => b.literal - a.literal);
  const shapes = new Map<Operation, z.ZodType | undefined>();
  const shapeOf = (operation: Operation): z.ZodType | undefined => {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (!shapes.has(operation))
      shapes.set(operation, schema && z.fromJSONSchema({ ...schema, $defs: components.schemas }));
    return shapes.get(operation);
  };

  return (method, path, query, body) => {
    const operation = routes.find(
      (route) => route.pattern.test(path) && method.toLowerCase() in route.operations,
    )?.operations[method.toLowerCase()];
    if (operation === undefined && UNLISTED.has(`${method} ${path}`)) return [];
    if (operation === undefined) return [`no such operation: ${method} ${path}`];
    const known = operation.parameters?.flatMap((each) => (each.in === 'query' ? [each.name] : [])) ?? [];
    const strange = [...query.keys()]
      .filter((name) => !known.includes(name))
      .map((name) => `unknown query ${name}`);
    const shape = shapeOf(operation);
    if (shape === undefined)
      return body === undefined ? strange : [...strange, 'a body where none is described'];
    const { error } = shape.safeParse(body);
    return error === undefined ? strange : [...strange, z.prettifyError(error)];
  };
});
