import { z } from 'zod';
import { isUuid } from '../base/uuid.ts';
import type { Assumptions } from './wire/assumptions.ts';
import { ignoringSink, jsonSink } from './wire/body-sinks.ts';
import type { Call, Purpose, SendCall } from './wire/call.ts';
import { InvalidResponse, ruleError } from './wire/errors.ts';
import type { BodySink } from './wire/exchange.ts';
import { listSink } from './wire/list-sink.ts';
import { plainText } from './wire/plain-text.ts';

const uuid = z.custom<string>(isUuid).transform((text) => text.toLowerCase());
const words = z
  .string()
  .transform((text) => plainText(text, [], 200))
  .optional()
  .catch(undefined);
const moment = z
  .string()
  .max(64)
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .optional()
  .catch(undefined);

const historyEntry = z
  .object({ ai_filter_id: uuid, ai_filter_name: words, time_removed: moment })
  .transform((entry) => ({
    filter: entry.ai_filter_id,
    name: entry.ai_filter_name,
    removedAt: entry.time_removed,
  }));

/** Schema of an alias. `id` and `ai_filter` must be valid; all other fields are only shown, so invalid values are dropped. */
const aliasSchema = z
  .object({
    id: uuid,
    ai_filter: uuid.nullish(),
    ai_filter_data: z.object({ label: words }).optional().catch(undefined),
    // Not cleaned, because it is compared with community ids.
    project: z.string().max(1000).optional().catch(undefined),
    created_at: moment,
    updated_at: moment,
    history: z.array(z.unknown()).catch([]),
  })
  .transform((alias) => ({
    /** The alias's UUID, which never changes. */
    id: alias.id,
    /** UUID of the filter that the alias points to; undefined if that filter was deleted. */
    filter: alias.ai_filter ?? undefined,
    /** Human-readable name of that filter. */
    label: alias.ai_filter_data?.label,
    project: alias.project,
    createdAt: alias.created_at,
    updatedAt: alias.updated_at,
    /** Filters that the alias pointed to before. */
    history: alias.history.slice(-100).flatMap((item) => historyEntry.safeParse(item).data ?? []),
  }));

/** An alias of the service: a stable UUID that points to a custom filter and can be repointed. */
export type Alias = z.output<typeof aliasSchema>;

function readAlias(document: unknown): Alias {
  const alias = aliasSchema.safeParse(document);
  if (!alias.success) throw new InvalidResponse('the answer is not an alias');
  return alias.data;
}

/** Reads an entry of a list without its history, which is most of its size. */
function readListedAlias(entry: unknown): Alias | undefined {
  const alias = aliasSchema.safeParse(entry).data;
  return alias && { ...alias, history: [] };
}

/** The calls of the alias endpoints, see `createAliasCalls`. */
export type AliasCalls = ReturnType<typeof createAliasCalls>;

export const ALIAS_ROOT = '/api/alias/';
const MOST_ALIAS_BYTES = 1024 * 1024;
/** Limit of a list's size: the aliases of all communities together, each with as long a history as the service keeps. */
export const MOST_ALIASES_BYTES = 256 * MOST_ALIAS_BYTES;
const LIST_BOUNDS = { bytes: MOST_ALIASES_BYTES, entryBytes: MOST_ALIAS_BYTES, entries: 20_000 };

const FOR_MODERATOR: Purpose = { lane: 'moderator' };

/** Calls of the alias endpoints. They need the token and return only the caller's own aliases. */
export function createAliasCalls(call: SendCall, assumptions: Assumptions) {
  const send = <T>(
    purpose: Purpose,
    endpoint: string,
    method: Call<T>['method'],
    path: string,
    read: () => BodySink<T>,
    more: { body?: string; credentials?: 'key' | 'token' } = {},
  ) => {
    const kind = method === 'GET' ? 'read' : 'mutation';
    return call({ credentials: 'token', ...more, ...purpose, kind, endpoint, method, path, read });
  };
  const list = () => listSink(LIST_BOUNDS, assumptions.lists.envelope, readListedAlias);
  const one = () => jsonSink(MOST_ALIAS_BYTES, readAlias);
  // The answer's content is ignored: the interface does not say what a change answers, only that it succeeded.
  const success = () => ignoringSink(MOST_ALIAS_BYTES);

  return {
    list: async (purpose = FOR_MODERATOR) => send(purpose, 'aliases', 'GET', ALIAS_ROOT, list),
    mine: async (purpose = FOR_MODERATOR) =>
      send(purpose, 'my-aliases', 'GET', '/my-aliases/', list, {
        credentials: assumptions.credentials.myAliases,
      }),
    resolve: async (id: string, purpose = FOR_MODERATOR) =>
      send(purpose, 'alias-resolve', 'GET', aliasPath('alias-resolve', id), one),
    create: async ({ filter, project }: { filter: string; project?: string }, purpose = FOR_MODERATOR) =>
      send(purpose, 'alias-create', 'POST', ALIAS_ROOT, one, {
        body: JSON.stringify({ ai_filter: filterUuid('alias-create', filter), project }),
      }),
    /** Sends both fields always, because the interface does not say which are required. */
    update: async (
      id: string,
      { filter, project }: { filter: string; project: string },
      purpose = FOR_MODERATOR,
    ) =>
      send(purpose, 'alias-update', 'PATCH', aliasPath('alias-update', id), success, {
        body: JSON.stringify({ ai_filter: filterUuid('alias-update', filter), project }),
      }),
    delete: async (id: string, purpose = FOR_MODERATOR) =>
      send(purpose, 'alias-delete', 'DELETE', aliasPath('alias-delete', id), success),
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
