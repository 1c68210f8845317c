import { type JobKind, jobKinds, KINDS } from '../../src/kinds/kinds.ts';
import { STATUS_PATHS } from '../../src/kinds/status-paths.ts';

/** The meaning of a call to a fake of the generation service, by the paths in the rows of `src/kinds`. */

/** The kind of job that a call makes; undefined: it is no run call. A catalog can have the path of a run call, and is read by GET. */
export const kindRunBy = (method: string, path: string): JobKind | undefined =>
  method === 'POST' ? jobKinds.find((kind) => KINDS[kind].path === path) : undefined;

/** Whether a call makes a job. */
export const isRun = (method: string, path: string): boolean => kindRunBy(method, path) !== undefined;

const statusPaths = Object.values(STATUS_PATHS).map(({ path }) => path.split('{id}'));

/** The job that a status call of the client asks about; undefined: the path is none of a status call. */
export const polledJob = (path: string): string | undefined => {
  const [before = '', after = ''] =
    statusPaths.find(([start = '', end = '']) => path.startsWith(start) && path.endsWith(end)) ?? [];
  const id = path.slice(before.length, path.length - after.length);
  return before === '' || id === '' || id.includes('/') ? undefined : id;
};

/** Whether a path is that of a status call. */
export const isPoll = (path: string): boolean => polledJob(path) !== undefined;
