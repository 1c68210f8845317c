import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { ZodError } from 'zod';
import { systemClock } from '../base/clock.ts';
import { createFaceFinder, type FaceFinder } from '../faces/finder.ts';
import { createDecoder } from '../picture/decoder.ts';
import { createAliasTable } from './catalog/aliases.ts';
import { createCatalog } from './catalog/catalog.ts';
import { createReadImage } from './inputs/read-image.ts';
import { HttpError, invalidRequest } from './interface/http-error.ts';
import type { StoredResultLimits } from './jobs/job-table.ts';
import { createJobs, type OverrideJob } from './jobs/jobs.ts';
import { createRenderPool } from './render/render-pool.ts';
import { API_KEY_HEADER, createRequireCredentials, type ServiceEnv } from './routes/context.ts';
import { fileRoutes } from './routes/files.ts';
import { generationRoutes } from './routes/generation.ts';
import { aliasRoutes, listRoutes } from './routes/lists.ts';
import { type AccountOptions, openAccount } from './storage/account.ts';
import { openServiceDatabase } from './storage/database.ts';

export interface GenerationServiceOptions extends AccountOptions {
  /** The port; 0 takes a free one. */
  port?: number;
  /** The folder of jobs, results and aliases; `:memory:` keeps them until the process ends. */
  dataDir?: string;
  /** Keeps photos, jobs and results off the disk: they end with the process. */
  jobsInMemory?: boolean;
  clock?: { now(): number };
  /**
   * For tests: answers requests before the service does. `overrideJob` decides how jobs end; `allowPrivateUrls` allows image URLs
   * in local networks.
   */
  middleware?: MiddlewareHandler<ServiceEnv>;
  overrideJob?: OverrideJob;
  allowPrivateUrls?: boolean;
  keep?: Partial<StoredResultLimits>;
  /** Draws the visible mark into the frames of videos; pictures get theirs where they are shown. */
  marksVideos?: boolean;
  /** A finder that is shared with the caller until the service is closed. */
  finder?: FaceFinder;
  /** Called with errors that are the service's own fault. */
  onError?: (error: unknown) => void;
}

const HOST = '127.0.0.1';
/** Limit of concurrent decodes; low, because the bot sends photos that it has already made small. */
const DECODES_AT_ONCE = 2;

/**
 * The room's entry: an embedded service with the interface of the real generation service, for tests, trials and the
 * playground. It knows nothing of the bot. `routes/` has the HTTP paths, `runs/endpoints.ts` the rules of each run endpoint,
 * `jobs/` the jobs and results in SQLite, and `render/` draws pictures and videos in child processes.
 */
export async function createGenerationService(options: GenerationServiceOptions = {}) {
  const now = () => (options.clock ?? Date).now();
  const dataDir = options.dataDir ?? ':memory:';
  const onError = options.onError ?? (() => undefined);
  const jobsInMemory = options.jobsInMemory ?? false;
  const db = openServiceDatabase(dataDir, jobsInMemory, onError);
  // Fewer bytes of results are kept in memory than on disk.
  const bytes = dataDir === ':memory:' || jobsInMemory ? 512 * 1024 ** 2 : 1024 ** 3;
  const keep = { forMs: 3_600_000, results: 2000, bytes, ...options.keep };
  const account = openAccount(db, options);
  const aliases = createAliasTable(db, now);
  const catalog = createCatalog(aliases);
  const pool = createRenderPool(options.marksVideos);
  const finder = options.finder ?? createFaceFinder();
  const jobs = createJobs({
    db,
    account,
    pool,
    finder,
    overrideJob: options.overrideJob,
    now,
    keep,
    onError,
  });
  const requireCredentials = createRequireCredentials(account);
  const decoder = createDecoder({ clock: systemClock, atOnce: DECODES_AT_ONCE });
  const readImage = createReadImage({ allowPrivateUrls: options.allowPrivateUrls ?? false, decoder });

  let closing: Promise<void> | undefined;
  const app = new Hono<ServiceEnv>({ strict: false });
  if (options.middleware !== undefined) app.use(options.middleware);
  app.route('/', generationRoutes({ requireCredentials, catalog, jobs, readImage }));
  app.route('/', listRoutes(requireCredentials, catalog, aliases));
  app.route('/', aliasRoutes(requireCredentials, aliases));
  app.route('/', fileRoutes(jobs));
  app.notFound(() => errorResponse(new HttpError(404, 'NOT_FOUND', 'There is nothing at this path.')));
  app.onError((error) => {
    if (error instanceof HttpError) return errorResponse(error);
    if (error instanceof ZodError) return errorResponse(describeInvalid(error));
    // Rendering fails when the service closes, which is no error to report.
    if (closing === undefined) onError(error);
    return errorResponse(new HttpError(500, 'INTERNAL', 'The service made a mistake.'));
  });

  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  server.listen(options.port ?? 0, HOST);
  await once(server, 'listening').catch((error: unknown) => {
    db.close();
    throw error;
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : options.port;
  jobs.resume();
  const cleaning = setInterval(jobs.forget, 60_000).unref();

  const close = async () => {
    clearInterval(cleaning);
    jobs.close();
    const ended = new Promise((done) => server.close(done));
    server.closeAllConnections();
    decoder.close();
    pool.close();
    finder.close();
    await ended;
    db.close();
  };
  return {
    url: `http://${HOST}:${port}`,
    apiKey: account.apiKey,
    apiKeyHeader: API_KEY_HEADER,
    token: account.token,
    close: (): Promise<void> => {
      closing ??= close();
      return closing;
    },
    /** Every stored job, oldest first. */
    jobs: jobs.list,
    /** The remaining credits. */
    credits: account.credits,
    /** Resolves when nothing is being rendered. */
    rendered: jobs.rendered,
  };
}

function errorResponse(error: HttpError) {
  return Response.json(
    { error_code: error.errorCode, detail: error.message },
    // The connection is closed, because the rest of a body that is too large is not read.
    { status: error.status, headers: error.status === 413 ? { connection: 'close' } : {} },
  );
}

function describeInvalid(error: ZodError): HttpError {
  const issue = error.issues[0];
  const where = issue?.path.join('.') ?? '';
  const what = issue?.message ?? 'The request is invalid';
  return invalidRequest(where === '' ? what : `${where}: ${what}`);
}
