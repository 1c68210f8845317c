import { z } from 'zod';
import {
  type GenerateRequest,
  type JobKind,
  jobKinds,
  KINDS,
  requestShape,
} from '../../src/command/kinds.ts';
import { photo, photo2 } from './call.ts';

interface Field {
  readonly role: string;
  readonly schema: z.ZodType;
  readonly isOptional?: true;
}

const filter = { by: 'number', id: 3, name: 'Travel Poster' };

/** At least two values that may be chosen. The first ones of all fields go together. */
const valuesOf = (name: string, { role, schema }: Field): readonly unknown[] => {
  if (role === 'photo')
    return [`photo of ${name}`, `another of ${name}`].map((ref) => ({ from: 'web', ref }));
  if (role === 'photos') return [[photo, photo2], [photo2]];
  if (role === 'filter') return [filter, { ...filter, id: 5 }];
  if (role === 'text') return [`text of ${name}`, `another of ${name}`];
  if (schema instanceof z.ZodNumber) return [schema.minValue ?? 1, schema.maxValue ?? 2];
  return schema instanceof z.ZodEnum ? schema.options : [true, false];
};

const isRequest = (value: unknown): value is GenerateRequest => requestShape.safeParse(value).success;

const requestWith = (kind: JobKind, values: Readonly<Record<string, unknown>>): GenerateRequest => {
  const request = { kind, ...values };
  if (!isRequest(request)) throw new Error(`no request of the kind ${kind}: see test/fakes/requests.ts`);
  return request;
};

/** A request of this kind, made from the table, with or without what may be left out. */
export const requestOf = (kind: JobKind, isComplete = true): GenerateRequest => {
  const fields = Object.entries<Field>(KINDS[kind].fields);
  const used = fields.filter(([, { isOptional }]) => isComplete || !isOptional);
  return requestWith(kind, Object.fromEntries(used.map(([name, field]) => [name, valuesOf(name, field)[0]])));
};

export const allRequests = (): readonly GenerateRequest[] =>
  jobKinds.flatMap((kind) => [requestOf(kind), requestOf(kind, false)]);

/** Requests that differ in one field: each of its values, and without it where it may be left out. */
export const requestsByField = () =>
  jobKinds.flatMap((kind) =>
    Object.entries<Field>(KINDS[kind].fields).map(([name, field]) => {
      const values = field.isOptional ? [...valuesOf(name, field), undefined] : valuesOf(name, field);
      const all = values.map((value) => requestWith(kind, { ...requestOf(kind), [name]: value }));
      return { kind, name, role: field.role, values, requests: all };
    }),
  );
