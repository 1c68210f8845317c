import { z } from 'zod';

/** It becomes part of a path, so it must not change the path, even when a proxy decodes it. */
export function isJobId(id: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(id) && !/^\.\.?$|[/\\?#%]/.test(id);
}

/** Some services write their ids as numbers. */
const written = z.union([z.string().trim(), z.int().transform(String)]);

export const jobId = written.refine(isJobId);

/** The id in a response, valid or not, to be compared with the requested one. */
export const namedId = written.optional().catch(undefined);
