import { randomInt } from 'node:crypto';
import { Hono } from 'hono';
import type { Catalog } from '../catalog/catalog.ts';
import type { ReadImage } from '../inputs/read-image.ts';
import { FAMILIES, familyNames } from '../interface/families.ts';
import type { Jobs, JobView } from '../jobs/jobs.ts';
import { runEndpoints } from '../runs/endpoints.ts';
import { type RequireCredentials, readJson, type ServiceEnv } from './context.ts';

interface GenerationRoutesOptions {
  requireCredentials: RequireCredentials;
  catalog: Catalog;
  jobs: Jobs;
  readImage: ReadImage;
}

/** Serves every run endpoint and every status path. */
export function generationRoutes({ requireCredentials, catalog, jobs, readImage }: GenerationRoutesOptions) {
  const routes = new Hono<ServiceEnv>({ strict: false });

  for (const endpoint of runEndpoints) {
    routes.post(endpoint.path, async (c) => {
      requireCredentials.forOutput(c, FAMILIES[endpoint.family].output);
      const body = await readJson(c);
      const plan = endpoint.plan(body, { catalog, seed: randomInt(2 ** 31) });
      const inputs = await Promise.all(plan.images.map(({ value, field }) => readImage(value, field)));
      const { family, path } = endpoint;
      const job = jobs.accept({ family, run: path, task: plan.task, inputs, cost: plan.cost });
      return c.json({ id: job.id, status: job.status });
    });
  }

  for (const family of familyNames) {
    const { statusPath, output } = FAMILIES[family];
    routes.post(`${statusPath}/:id`, (c) => {
      requireCredentials.forOutput(c, output);
      const id = c.req.param('id');
      const view = jobs.view(id, family);
      if (output === 'video') {
        return c.json({ id, status: view.status, output: videoOutput(view, new URL(c.req.url).origin) });
      }
      if (view.phase !== 'completed') {
        const failed = view.phase === 'failed' ? failureOf(view.reason) : {};
        return c.json({ id, status: view.status, output: failed });
      }
      // Built by hand: base64 needs no escaping, so JSON.stringify would only copy 8 MB once more.
      const head = JSON.stringify({ id, status: view.status }).slice(0, -1);
      const image = Buffer.from(view.result.buffer, view.result.byteOffset, view.result.length);
      const text = `${head},"output":{"images":["${image.toString('base64')}"]}}`;
      return c.body(text, 200, { 'content-type': 'application/json' });
    });
  }
  return routes;
}

/** Splits a failure into its code, if it has one, and the reason. */
function failureOf(reason: string) {
  const [, error_code, error = reason] = /^([A-Z_]+): (.*)$/s.exec(reason) ?? [];
  return { error, ...(error_code !== undefined && { error_code }) };
}

function videoOutput(view: JobView, origin: string): Record<string, string> {
  if (view.phase === 'completed') {
    return { video_url: `${origin}/files/${view.file}.mp4`, video_status: 'completed' };
  }
  if (view.phase === 'failed') {
    const { error, ...code } = failureOf(view.reason);
    return { video_status: 'failed', video_error: error, ...code };
  }
  return {};
}
