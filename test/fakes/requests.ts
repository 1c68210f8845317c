import { z } from 'zod';
import { type GenerateRequest, requestShape } from '../../src/command/request.ts';
import type { Field } from '../../src/kinds/field.ts';
import { type JobKind, jobKinds, KINDS } from '../../src/kinds/kinds.ts';
import { photo, photo2 } from './call.ts';

const filter = { by: 'number', id: 3, name: 'Travel Poster' };

/** Values of a field: at least two where it can be chosen. The first values of all fields go together. */
const valuesOf = (name: string, field: Field): readonly unknown[] => {
  switch (field.role) {
    case 'photo':
      return [`photo of ${name}`, `another of ${name}`].map((ref) => ({ from: 'web', ref }));
    case 'photos':
      return [[photo, photo2], [photo2]];
    case 'filter':
      return [filter, { ...filter, id: 5 }];
    case 'text':
      return [`text of ${name}`, `another of ${name}`];
    case 'constant':
      return [];
    case 'option': {
      const { schema } = field;
      if (schema instanceof z.ZodNumber) return [schema.minValue ?? 1, schema.maxValue ?? 2];
      return schema instanceof z.ZodEnum ? schema.options : [true, false];
    }
  }
};

/** The fields that a person fills in. */
const fieldsOf = (kind: JobKind): readonly (readonly [string, Field])[] =>
  Object.entries<Field>(KINDS[kind].fields).filter(([, { role }]) => role !== 'constant');

const isRequest = (value: unknown): value is GenerateRequest => requestShape.safeParse(value).success;

const requestWith = (kind: JobKind, values: Readonly<Record<string, unknown>>): GenerateRequest => {
  const request = { kind, ...values };
  if (!isRequest(request)) throw new Error(`no request of the kind ${kind}: see test/fakes/requests.ts`);
  return request;
};

/** A request of this kind, made from the table, with or without what may be left out. */
export const requestOf = (kind: JobKind, isComplete = true): GenerateRequest => {
  const used = fieldsOf(kind).filter(([, { isOptional }]) => isComplete || !isOptional);
  return requestWith(kind, Object.fromEntries(used.map(([name, field]) => [name, valuesOf(name, field)[0]])));
};

/** Two requests of each kind: with and without what may be left out. */
export const allRequests = (): readonly GenerateRequest[] =>
  jobKinds.flatMap((kind) => [requestOf(kind), requestOf(kind, false)]);

/** Requests that differ in one field: each of its values, and without it where it may be left out. */
export const requestsByField = () =>
  jobKinds.flatMap((kind) =>
    fieldsOf(kind).map(([name, field]) => {
      const values = field.isOptional ? [...valuesOf(name, field), undefined] : valuesOf(name, field);
      const all = values.map((value) => requestWith(kind, { ...requestOf(kind), [name]: value }));
      return { kind, name, role: field.role, values, requests: all };
    }),
  );
