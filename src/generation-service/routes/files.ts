import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { HttpError } from '../interface/http-error.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { previewFiles } from '../render/filters/all.ts';
import type { ServiceEnv } from './context.ts';

const missing = () => new HttpError(404, 'NOT_FOUND', 'There is no such file.');

/** Serves finished videos, under names that cannot be guessed, and previews of every filter. */
export function fileRoutes(jobs: Jobs) {
  const routes = new Hono<ServiceEnv>({ strict: false });

  routes.get('/files/:name{[\\w-]+\\.mp4}', (c) => {
    const bytes = jobs.file(c.req.param('name').slice(0, -'.mp4'.length));
    if (bytes === undefined) throw missing();
    const headers = {
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
    };
    const range = parseRange(c.req.header('range'), bytes.length);
    if (range === undefined) return c.body(new Uint8Array(bytes), 200, headers);
    if (range === 'unsatisfiable') {
      return c.body(null, 416, { ...headers, 'content-range': `bytes */${bytes.length}` });
    }
    const { start, end } = range;
    const part = new Uint8Array(bytes.subarray(start, end + 1));
    return c.body(part, 206, { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` });
  });

  routes.get('/previews/:set/:file{[\\w-]+\\.jpg}', async (c) => {
    const file = previewFiles.get(`${c.req.param('set')}/${c.req.param('file').slice(0, -'.jpg'.length)}`);
    if (file === undefined) throw missing();
    const headers = { 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=86400' };
    return c.body(new Uint8Array(await readFile(file)), 200, headers);
  });
  return routes;
}

/** Parses one byte range, as players request it. Several ranges at once are answered with the whole file, which HTTP allows. */
export function parseRange(header: string | undefined, size: number) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [, first, last] = match;
  const start = first ? Number(first) : Math.max(0, size - Number(last));
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1;
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}
