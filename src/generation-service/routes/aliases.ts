import { Hono } from 'hono';
import { z } from 'zod';
import type { Aliases } from '../catalog/aliases.ts';
import { type Env, type Identify, readJson } from './context.ts';

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

function idOf(id: string) {
  return id.toLowerCase();
}
