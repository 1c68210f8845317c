import { z } from 'zod';

/** It becomes a part of a path, so it must not be able to lead elsewhere, whoever decodes it on the way. */
export const isJobId = (id: string): boolean =>
  /^[\x21-\x7e]{1,256}$/.test(id) && !/^\.\.?$|[/\\?#%]/.test(id);

/** Some services write their ids as numbers. */
const written = z.union([z.string().trim(), z.int().transform(String)]);

export const jobId = written.refine(isJobId);

/** The id in an answer, usable or not, to be compared with the one that was asked for. */
export const namedId = written.optional().catch(undefined);
