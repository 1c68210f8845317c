import { Hono } from 'hono';
import { z } from 'zod';
import type { AliasTable } from '../catalog/aliases.ts';
import type { Catalog, StandardCatalog } from '../catalog/catalog.ts';
import { filtersWithUuid } from '../catalog/custom-filters.ts';
import { type RequireCredentials, readJson, type ServiceEnv } from './context.ts';

export const CATALOG_ROUTES: [path: string, catalog: StandardCatalog][] = [
  ['/v1/filters', 'face'],
  ['/v5/filters', 'face'],
  ['/v6/filters', 'face'],
  ['/v1/realistic_multiswap_styles', 'realistic'],
  ['/v1/stylized_multiswap_styles', 'stylized'],
  ['/v4/multi_swap_styles', 'classic'],
];

/** Serves the catalogs, the custom filters and the list of aliases. */
export function listRoutes(requireCredentials: RequireCredentials, catalog: Catalog, aliases: AliasTable) {
  const routes = new Hono<ServiceEnv>({ strict: false });
  for (const [path, name] of CATALOG_ROUTES) {
    routes.get(path, (c) => {
      requireCredentials.key(c);
      return c.json(catalog.list(name));
    });
  }
  // The interface does not say which credentials these two need, so both kinds are accepted.
  routes.get('/v1/users/me/my-custom-filters', (c) => {
    requireCredentials.either(c);
    const { origin } = new URL(c.req.url);
    const own = filtersWithUuid.map((filter) => ({
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
  routes.get('/my-aliases', (c) => {
    requireCredentials.either(c);
    return c.json(aliases.list());
  });
  return routes;
}

const project = z.string().max(200);
const creation = z.object({ ai_filter: z.string().min(1), project: project.optional() });
const change = z
  .object({ ai_filter: z.string().min(1).optional(), project: project.optional() })
  .refine((body) => body.ai_filter !== undefined || body.project !== undefined, {
    message: 'ai_filter or project is required',
  });

export function aliasRoutes(requireCredentials: RequireCredentials, aliases: AliasTable) {
  const routes = new Hono<ServiceEnv>({ strict: false });
  routes.use('/api/alias/*', (c, next) => {
    requireCredentials.token(c);
    return next();
  });
  routes.get('/api/alias', (c) => c.json(aliases.list()));
  routes.post('/api/alias', async (c) => c.json(aliases.create(creation.parse(await readJson(c))), 201));
  routes.get('/api/alias/:id', (c) => c.json(aliases.resolve(idOf(c.req.param('id')))));
  routes.patch('/api/alias/:id', async (c) => {
    const body = change.parse(await readJson(c));
    return c.json(aliases.update(idOf(c.req.param('id')), body));
  });
  routes.delete('/api/alias/:id', (c) => {
    aliases.remove(idOf(c.req.param('id')));
    return c.body(null, 204);
  });
  return routes;
}

const idOf = (id: string) => id.toLowerCase();
