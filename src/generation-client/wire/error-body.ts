import type { Assumptions } from './assumptions.ts';
import { plainText } from './plain-text.ts';

const CODE_SHAPE = /^[A-Za-z0-9_.:-]{1,64}$/;
const CONTAINERS = ['error', 'detail', 'errors', 'data'];
const MAX_DEPTH = 4;

/**
 * The interface does not show error bodies, so any is accepted: JSON of some framework, a list of findings, plain text, a
 * gateway's HTML page, nothing.
 */
export function readErrorBody(body: Buffer, fields: Assumptions['errorBody'], secrets: readonly string[]) {
  const text = body.toString('utf8');
  const parsed = parseJson(text);
  if (parsed === undefined) return { code: undefined, detail: plainText(text, secrets) || undefined };
  const code = findCode(parsed, fields.code, 0);
  const detail = describe(parsed, fields.detail, 0);
  return {
    code: code === undefined || secrets.includes(code) ? undefined : code,
    detail: plainText(detail, secrets) || undefined,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findCode(value: unknown, names: readonly string[], depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 10)) {
      const found = findCode(item, names, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const name of names) {
    const candidate = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof candidate === 'string' && CODE_SHAPE.test(candidate)) return candidate;
  }
  for (const name of CONTAINERS) {
    const found = Object.hasOwn(value, name) ? findCode(value[name], names, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  // {"error": "FILTER_NOT_FOUND"}: the code in place of a message.
  const error = Object.hasOwn(value, 'error') ? value.error : undefined;
  return typeof error === 'string' && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(error) ? error : undefined;
}

function describe(value: unknown, names: readonly string[], depth: number): string {
  if (typeof value === 'string') return value.slice(0, 5000);
  if (depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) {
    const parts = value.slice(0, 5).map((item) => describe(item, names, depth + 1));
    return parts.filter((part) => part !== '').join('; ');
  }
  if (!isObject(value)) return '';
  for (const name of names) {
    const text = Object.hasOwn(value, name) ? describe(value[name], names, depth + 1) : '';
    if (text !== '') return text;
  }
  // {"prompt": ["This field is required."]}: findings listed by field.
  const byField = Object.entries(value)
    .filter(([, findings]) => Array.isArray(findings) && findings.every((item) => typeof item === 'string'))
    .slice(0, 5)
    .map(([field, findings]) => `${field.slice(0, 50)}: ${describe(findings, names, depth + 1)}`);
  return byField.join('; ');
}
