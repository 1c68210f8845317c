import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { HttpError } from '../interface/http-error.ts';
import { transaction } from '../storage/database.ts';
import type { CustomFilters } from './custom-filters.ts';

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

/** A bot has one user for all its communities. */
const MAX_PER_USER = 10_000;
const MAX_HISTORY = 200;

export type Aliases = ReturnType<typeof createAliases>;

/** Stable identifiers that point to a custom filter and can be repointed by their owner. */
export function createAliases(db: DatabaseSync, filters: CustomFilters, now: () => number) {
  const insert = db.prepare(
    'INSERT INTO aliases (id, user, ai_filter, project, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = db.prepare('SELECT count(*) AS n FROM aliases WHERE user = ?');
  const all = db.prepare('SELECT * FROM aliases WHERE user = ? ORDER BY created_at, id');
  const one = db.prepare('SELECT * FROM aliases WHERE id = ? AND user = ?');
  const change = db.prepare('UPDATE aliases SET ai_filter = ?, project = ?, updated_at = ? WHERE id = ?');
  const use = db.prepare('UPDATE aliases SET last_used = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM aliases WHERE id = ? AND user = ?');
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
  const find = (user: string, id: string) => row.optional().parse(one.get(id, user));
  const present = (alias: z.infer<typeof row>) => ({
    ...alias,
    ai_filter_data: { label: filters.find(alias.user, alias.ai_filter)?.label ?? '' },
    history: history.all(alias.id).map((entry) => historyRow.parse(entry)),
  });
  const existing = (user: string, id: string) => {
    const alias = find(user, id);
    if (alias === undefined) throw new HttpError(404, 'ALIAS_NOT_FOUND', 'There is no such alias.');
    return alias;
  };
  const ownFilter = (user: string, uuid: string) => {
    const filter = filters.find(user, uuid);
    if (filter === undefined) {
      throw new HttpError(422, 'FILTER_NOT_FOUND', 'ai_filter is not one of your custom filters.');
    }
    return filter;
  };

  return {
    list: (user: string) => all.all(user).map((found) => present(row.parse(found))),

    create(user: string, body: { ai_filter: string; project?: string | undefined }) {
      const filter = ownFilter(user, body.ai_filter);
      if (z.object({ n: z.number() }).parse(count.get(user)).n >= MAX_PER_USER) {
        throw new HttpError(422, 'TOO_MANY_ALIASES', `At most ${MAX_PER_USER} aliases per user.`);
      }
      const id = randomUUID();
      const time = timestamp();
      insert.run(id, user, filter.uuid, body.project ?? '', time, time);
      return present(existing(user, id));
    },

    /** Returns the alias as it was before this use: `last_used` is null the first time. */
    resolve(user: string, id: string) {
      const alias = existing(user, id);
      use.run(timestamp(), alias.id);
      return present(alias);
    },

    update(user: string, id: string, body: { ai_filter?: string | undefined; project?: string | undefined }) {
      return transaction(db, () => {
        const alias = existing(user, id);
        const next = body.ai_filter === undefined ? alias.ai_filter : ownFilter(user, body.ai_filter).uuid;
        const project = body.project ?? alias.project;
        if (next !== alias.ai_filter) {
          const name = filters.find(user, alias.ai_filter)?.label ?? '';
          addHistory.run(alias.id, alias.ai_filter, name, timestamp());
          trimHistory.run(alias.id, MAX_HISTORY);
        }
        if (next !== alias.ai_filter || project !== alias.project) {
          change.run(next, project, timestamp(), alias.id);
        }
        return present(existing(user, id));
      });
    },

    remove(user: string, id: string): void {
      if (remove.run(id, user).changes === 0) existing(user, id);
    },

    /** The filter that an alias id given in place of a filter id stands for. */
    filterOf(user: string, id: string): string | undefined {
      const alias = find(user, id);
      if (alias !== undefined) use.run(timestamp(), alias.id);
      return alias?.ai_filter;
    },
  };
}
