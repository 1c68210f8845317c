import { STATUS_PATHS } from '../../src/kinds/status-paths.ts';

const paths = Object.values(STATUS_PATHS).map(({ path }) => path.split('{id}'));

/** The job that a status call of the client asks about; undefined: the path is none of a status call. */
export const polledJob = (path: string): string | undefined => {
  const [before = '', after = ''] =
    paths.find(([start = '', end = '']) => path.startsWith(start) && path.endsWith(end)) ?? [];
  const id = path.slice(before.length, path.length - after.length);
  return before === '' || id === '' || id.includes('/') ? undefined : id;
};

export const isPoll = (path: string): boolean => polledJob(path) !== undefined;
