import { Hono } from 'hono';
import { z } from 'zod';
import type { Aliases } from '../catalog/aliases.ts';
import type { Catalog, CatalogName } from '../catalog/catalog.ts';
import type { CustomFilters } from '../catalog/custom-filters.ts';
import { type Env, type Identify, readJson } from './context.ts';

export const CATALOG_PATHS: [path: string, catalog: CatalogName][] = [
  ['/v1/filters', 'face'],
  ['/v5/filters', 'face'],
  ['/v6/filters', 'face'],
  ['/v1/realistic_multiswap_styles', 'realistic'],
  ['/v1/stylized_multiswap_styles', 'stylized'],
  ['/v4/multi_swap_styles', 'classic'],
];

/** Catalogs, the caller's custom filters and the caller's aliases. */
export function listRoutes(identify: Identify, catalog: Catalog, filters: CustomFilters, aliases: Aliases) {
  const routes = new Hono<Env>({ strict: false });
  for (const [path, name] of CATALOG_PATHS) {
    routes.get(path, (c) => {
      identify.key(c);
      return c.json(catalog.list(name));
    });
  }
  // The interface does not say which credential these two take, so both kinds open them.
  routes.get('/v1/users/me/my-custom-filters', (c) => {
    const { origin } = new URL(c.req.url);
    const own = filters.list(identify.either(c)).map((filter) => ({
      uuid: filter.uuid,
      id: filter.uuid,
      label: filter.label,
      name: filter.label,
      filter_type: filter.filterType,
      origin: filter.origin,
      preview_images: [`${origin}/previews/${filter.key}.jpg`],
    }));
    return c.json(own);
  });
  routes.get('/my-aliases', (c) => c.json(aliases.list(identify.either(c))));
  return routes;
}

const project = z.string().max(200);
const creation = z.object({ ai_filter: z.string().min(1), project: project.optional() });
const change = z
  .object({ ai_filter: z.string().min(1).optional(), project: project.optional() })
  .refine((body) => body.ai_filter !== undefined || body.project !== undefined, {
    message: 'ai_filter or project is required',
  });

export function aliasRoutes(identify: Identify, aliases: Aliases) {
  const routes = new Hono<Env>({ strict: false });
  routes.get('/api/alias', (c) => c.json(aliases.list(identify.token(c))));
  routes.post('/api/alias', async (c) => {
    const user = identify.token(c);
    return c.json(aliases.create(user, creation.parse(await readJson(c))), 201);
  });
  routes.get('/api/alias/:id', (c) => c.json(aliases.resolve(identify.token(c), idOf(c.req.param('id')))));
  routes.patch('/api/alias/:id', async (c) => {
    const user = identify.token(c);
    const body = change.parse(await readJson(c));
    return c.json(aliases.update(user, idOf(c.req.param('id')), body));
  });
  routes.delete('/api/alias/:id', (c) => {
    aliases.remove(identify.token(c), idOf(c.req.param('id')));
    return c.body(null, 204);
  });
  return routes;
}

const idOf = (id: string) => id.toLowerCase();
