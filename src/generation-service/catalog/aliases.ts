import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { HttpError } from '../interface/http-error.ts';
import { USER } from '../storage/account.ts';
import { inTransaction } from '../storage/database.ts';
import { findCustomFilter } from './custom-filters.ts';

const row = z.object({
  id: z.string(),
  user: z.string(),
  ai_filter: z.string(),
  project: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  last_used: z.string().nullable(),
});
const historyRow = z.object({
  ai_filter_id: z.string(),
  ai_filter_name: z.string(),
  time_removed: z.string(),
});

/** Limit of the aliases, which all communities of a bot share. */
const MAX_ALIASES = 10_000;
const MAX_HISTORY = 200;

/** The stored aliases, see `createAliases`. */
export type AliasTable = ReturnType<typeof createAliasTable>;

/** Creates the store of aliases: stable identifiers that point to a custom filter and can be repointed by their owner. */
export function createAliasTable(db: DatabaseSync, now: () => number) {
  const insert = db.prepare(
    'INSERT INTO aliases (id, user, ai_filter, project, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = db.prepare('SELECT count(*) AS n FROM aliases');
  const all = db.prepare('SELECT * FROM aliases ORDER BY created_at, id');
  const one = db.prepare('SELECT * FROM aliases WHERE id = ?');
  const change = db.prepare('UPDATE aliases SET ai_filter = ?, project = ?, updated_at = ? WHERE id = ?');
  const use = db.prepare('UPDATE aliases SET last_used = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM aliases WHERE id = ?');
  const history = db.prepare('SELECT * FROM alias_history WHERE alias = ? ORDER BY position');
  const addHistory = db.prepare(
    `INSERT INTO alias_history (alias, position, ai_filter_id, ai_filter_name, time_removed)
     VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM alias_history WHERE alias = ?1), ?2, ?3, ?4)`,
  );
  const trimHistory = db.prepare(
    `DELETE FROM alias_history WHERE alias = ?1
       AND position <= (SELECT max(position) FROM alias_history WHERE alias = ?1) - ?2`,
  );

  const timestamp = () => new Date(now()).toISOString();
  const find = (id: string) => row.optional().parse(one.get(id));
  const present = (alias: z.infer<typeof row>) => ({
    ...alias,
    ai_filter_data: { label: findCustomFilter(alias.ai_filter)?.label ?? '' },
    history: history.all(alias.id).map((entry) => historyRow.parse(entry)),
  });
  const existing = (id: string) => {
    const alias = find(id);
    if (alias === undefined) throw new HttpError(404, 'ALIAS_NOT_FOUND', 'There is no such alias.');
    return alias;
  };
  const ownFilter = (uuid: string) => {
    const filter = findCustomFilter(uuid);
    if (filter === undefined) {
      throw new HttpError(422, 'FILTER_NOT_FOUND', 'ai_filter is not one of your custom filters.');
    }
    return filter;
  };

  return {
    list: () => all.all().map((found) => present(row.parse(found))),

    create(body: { ai_filter: string; project?: string | undefined }) {
      const filter = ownFilter(body.ai_filter);
      if (z.object({ n: z.number() }).parse(count.get()).n >= MAX_ALIASES) {
        throw new HttpError(422, 'TOO_MANY_ALIASES', `At most ${MAX_ALIASES} aliases per user.`);
      }
      const id = randomUUID();
      const time = timestamp();
      insert.run(id, USER, filter.uuid, body.project ?? '', time, time);
      return present(existing(id));
    },

    /** Marks the alias as used, and returns it as it was before: `last_used` is null the first time. */
    resolve(id: string) {
      const alias = existing(id);
      use.run(timestamp(), alias.id);
      return present(alias);
    },

    update(id: string, body: { ai_filter?: string | undefined; project?: string | undefined }) {
      return inTransaction(db, () => {
        const alias = existing(id);
        const next = body.ai_filter === undefined ? alias.ai_filter : ownFilter(body.ai_filter).uuid;
        const project = body.project ?? alias.project;
        if (next !== alias.ai_filter) {
          const name = findCustomFilter(alias.ai_filter)?.label ?? '';
          addHistory.run(alias.id, alias.ai_filter, name, timestamp());
          trimHistory.run(alias.id, MAX_HISTORY);
        }
        if (next !== alias.ai_filter || project !== alias.project) {
          change.run(next, project, timestamp(), alias.id);
        }
        return present(existing(id));
      });
    },

    remove(id: string): void {
      if (remove.run(id).changes === 0) existing(id);
    },

    /** The filter of an alias whose id was given in place of a filter's id. */
    filterOf(id: string): string | undefined {
      const alias = find(id);
      if (alias !== undefined) use.run(timestamp(), alias.id);
      return alias?.ai_filter;
    },
  };
}
