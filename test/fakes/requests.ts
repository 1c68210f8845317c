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

/** The first value that may be chosen: it goes with the first ones of all others. */
const sampleOf = (name: string, { role, schema }: Field) => {
  if (role === 'photo') return { from: 'web', ref: `photo of ${name}` };
  if (role === 'photos') return [photo, photo2];
  if (role === 'filter') return filter;
  if (role === 'text') return `text of ${name}`;
  return schema instanceof z.ZodEnum ? schema.options[0] : true;
};

const isRequest = (value: unknown): value is GenerateRequest => requestShape.safeParse(value).success;

/** A request of this kind, made from the table, with or without what may be left out. */
export const requestOf = (kind: JobKind, isComplete = true): GenerateRequest => {
  const fields = Object.entries<Field>(KINDS[kind].fields);
  const used = fields.filter(([, { isOptional }]) => isComplete || !isOptional);
  const request = { kind, ...Object.fromEntries(used.map(([name, field]) => [name, sampleOf(name, field)])) };
  if (!isRequest(request)) throw new Error(`no request of the kind ${kind}`);
  return request;
};

export const allRequests = (): readonly GenerateRequest[] =>
  jobKinds.flatMap((kind) => [requestOf(kind), requestOf(kind, false)]);
