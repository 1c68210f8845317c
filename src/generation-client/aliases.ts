import { readAlias, readListedAlias } from './alias-shapes.ts';
import type { Assumptions } from './wire/assumptions.ts';
import { ignoringSink, jsonSink } from './wire/body-sinks.ts';
import type { Purpose, SendCall } from './wire/call.ts';
import { ruleError } from './wire/errors.ts';
import { isUuid } from './wire/inputs.ts';
import { listSink } from './wire/list-sink.ts';

export type AliasCalls = ReturnType<typeof createAliasCalls>;

export const ALIAS_ROOT = '/api/alias/';
const MAX_ALIAS_BYTES = 1024 * 1024;
/** The aliases of all communities together, each with as long a history as the service keeps. */
export const MAX_ALIASES_BYTES = 256 * MAX_ALIAS_BYTES;
const LIST_BOUNDS = { bytes: MAX_ALIASES_BYTES, entryBytes: MAX_ALIAS_BYTES, entries: 20_000 };

const FOR_MODERATOR: Purpose = { lane: 'moderator' };

/** The alias endpoints. They take the token and return only the caller's own aliases. */
export function createAliasCalls(call: SendCall, assumptions: Assumptions) {
  const read = { kind: 'read', method: 'GET' } as const;
  const mutation = { kind: 'mutation', credentials: 'token' } as const;
  const list = () => listSink(LIST_BOUNDS, assumptions.lists.envelope, readListedAlias);

  return {
    list: async (purpose = FOR_MODERATOR) =>
      call({
        ...read,
        ...purpose,
        endpoint: 'aliases',
        path: ALIAS_ROOT,
        credentials: 'token',
        read: list,
      }),
    mine: async (purpose = FOR_MODERATOR) =>
      call({
        ...read,
        ...purpose,
        endpoint: 'my-aliases',
        path: '/my-aliases/',
        credentials: assumptions.credentials.myAliases,
        read: list,
      }),
    resolve: async (id: string, purpose = FOR_MODERATOR) =>
      call({
        ...read,
        ...purpose,
        endpoint: 'alias-resolve',
        path: aliasPath('alias-resolve', id),
        credentials: 'token',
        read: () => jsonSink(MAX_ALIAS_BYTES, readAlias),
      }),
    create: async ({ filter, project }: { filter: string; project?: string }, purpose = FOR_MODERATOR) =>
      call({
        ...mutation,
        ...purpose,
        endpoint: 'alias-create',
        method: 'POST',
        path: ALIAS_ROOT,
        body: JSON.stringify({ ai_filter: filterUuid('alias-create', filter), project }),
        read: () => jsonSink(MAX_ALIAS_BYTES, readAlias),
      }),
    /** Always sends both fields: the interface does not show which are required. */
    update: async (
      id: string,
      { filter, project }: { filter: string; project: string },
      purpose = FOR_MODERATOR,
    ) =>
      call({
        ...mutation,
        ...purpose,
        endpoint: 'alias-update',
        method: 'PATCH',
        path: aliasPath('alias-update', id),
        body: JSON.stringify({ ai_filter: filterUuid('alias-update', filter), project }),
        // The interface does not show what it answers; only success matters.
        read: () => ignoringSink(MAX_ALIAS_BYTES),
      }),
    delete: async (id: string, purpose = FOR_MODERATOR) =>
      call({
        ...mutation,
        ...purpose,
        endpoint: 'alias-delete',
        method: 'DELETE',
        path: aliasPath('alias-delete', id),
        read: () => ignoringSink(MAX_ALIAS_BYTES),
      }),
  };
}

function aliasPath(endpoint: string, id: string): string {
  if (!isUuid(id)) throw ruleError(endpoint, 'An alias is named by its UUID.');
  return `${ALIAS_ROOT}${id}/`;
}

function filterUuid(endpoint: string, filter: string): string {
  if (isUuid(filter)) return filter;
  throw ruleError(
    endpoint,
    'An alias points to a custom filter, named by its UUID; a catalog number does not work.',
  );
}
