import { fromSpec } from '../spec.ts';

/** Discord answers these; its description leaves them out. */
const unlisted = new Set(['POST /attachments/refresh-urls']);

/** The part of JSON schema that Discord's OpenAPI description uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Newer than the description: documented by Discord, not yet in the file. */
const newer = new Set(['file_types']);

/** Says what is wrong with a request; nothing when it is as described. */
export type CheckRequest = (method: string, path: string, query: URLSearchParams, body: unknown) => string[];

export const createRequestCheck = fromSpec('discord-openapi.json', (spec): CheckRequest => {
  const description = spec as Description;
  const routes = Object.entries(description.paths).map(([path, operations]) => ({
    operations,
    literal: path.split('/').filter((part) => !part.startsWith('{')).length,
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`, 'u'),
  }));
  // `/messages/@original` is also a `/messages/{id}`: the more literal one is meant.
  routes.sort((a, b) => b.literal - a.literal);

  return (method, path, query, body) => {
    const operation = routes.find(
      (route) => route.pattern.test(path) && method.toLowerCase() in route.operations,
    )?.operations[method.toLowerCase()];
    if (operation === undefined && unlisted.has(`${method} ${path}`)) return [];
    if (operation === undefined) return [`no such operation: ${method} ${path}`];
    const known = new Set(
      operation.parameters?.filter((each) => each.in === 'query').map((each) => each.name),
    );
    const strange = [...query.keys()]
      .filter((name) => !known.has(name))
      .map((name) => `unknown query ${name}`);
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (schema === undefined)
      return body === undefined ? strange : [...strange, 'a body where none is described'];
    return [...strange, ...check(description, schema, body, 'body')];
  };
});

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : Number.isInteger(value)
        ? 'integer'
        : typeof value;

const check = (all: Description, schema: Schema, value: unknown, at: string): string[] => {
  if (schema.$ref !== undefined) {
    const target = all.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return target === undefined ? [`${at}: dangling ${schema.$ref}`] : check(all, target, value, at);
  }
  const problems = [...checkType(schema, value, at), ...checkBounds(schema, value, at)];
  if (problems.length > 0) return problems;
  for (const part of schema.allOf ?? []) problems.push(...check(all, part, value, at));
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) {
    const results = branches
      .map((branch) => check(all, branch, value, at))
      .sort((a, b) => a.length - b.length);
    problems.push(...(results[0] ?? []));
  }
  if (Array.isArray(value) && schema.items !== undefined)
    for (const [index, item] of value.entries())
      problems.push(...check(all, schema.items, item, `${at}[${index}]`));
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    problems.push(...checkObject(all, schema, value as Readonly<Record<string, unknown>>, at));
  return problems;
};

const checkType = (schema: Schema, value: unknown, at: string): string[] => {
  if (schema.const !== undefined && schema.const !== value) return [`${at}: ${String(value)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: not one of ${schema.enum}`];
  if (schema.type === undefined) return [];
  const allowed: readonly string[] = typeof schema.type === 'string' ? [schema.type] : schema.type;
  const type = typeOf(value);
  if (allowed.includes(type) || (type === 'integer' && allowed.includes('number'))) return [];
  // Discord takes bit sets as digits in a string, whatever the description says.
  if (allowed.includes('integer') && (schema.maximum ?? 0) > 2 ** 50 && /^\d+$/.test(String(value)))
    return [];
  return [`${at}: is ${type}, should be ${allowed.join(' or ')}`];
};

const checkBounds = (schema: Schema, value: unknown, at: string): string[] => {
  const size =
    typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : undefined;
  const min = typeof value === 'string' ? schema.minLength : schema.minItems;
  const max = typeof value === 'string' ? schema.maxLength : schema.maxItems;
  if (size !== undefined && min !== undefined && size < min) return [`${at}: shorter than ${min}`];
  if (size !== undefined && max !== undefined && size > max) return [`${at}: longer than ${max}`];
  if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum)
    return [`${at}: too low`];
  if (typeof value === 'number' && schema.maximum !== undefined && value > schema.maximum)
    return [`${at}: too high`];
  if (
    typeof value === 'string' &&
    schema.pattern !== undefined &&
    !new RegExp(schema.pattern, 'u').test(value)
  )
    return [`${at}: does not match ${schema.pattern}`];
  return [];
};

const checkObject = (
  all: Description,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  at: string,
): string[] => {
  const problems: string[] = [];
  for (const name of schema.required ?? [])
    if (value[name] === undefined) problems.push(`${at}.${name}: missing`);
  if (schema.properties === undefined && typeof schema.additionalProperties !== 'object') return problems;
  for (const [name, inner] of Object.entries(value)) {
    const described = schema.properties?.[name];
    if (described !== undefined) problems.push(...check(all, described, inner, `${at}.${name}`));
    else if (typeof schema.additionalProperties === 'object')
      problems.push(...check(all, schema.additionalProperties, inner, `${at}.${name}`));
    else if (!newer.has(name)) problems.push(`${at}.${name}: unknown`);
  }
  return problems;
};
