import type { GenerationClient } from '../../generation-client/client.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { OrchestratorPortsDependencies } from './orchestrator-ports.ts';

/**
 * Fetches results again for what is made of them: with the visible mark it would be in the middle of a video. Never rejects, because the
 * chat has the result, too.
 */
export function createUnmarkedResult(parts: {
  /** Whether pictures get the visible mark; else those of the chat will do. */
  readonly hasMark: boolean;
  readonly getJob: (id: string) => Promise<Job | undefined>;
  readonly client: Pick<GenerationClient, 'status'>;
}): OrchestratorPortsDependencies['unmarked'] {
  const { hasMark, getJob, client } = parts;
  return async (id, maxBytes, signal, reserve) => {
    if (!hasMark) return undefined;
    try {
      const job = await getJob(id);
      // Where the result was taken away, nothing is made of it.
      if (job?.state !== 'done' || job.forget || job.withdrawn) return undefined;
      const call = { endpoint: job.request.kind, id: job.serviceId };
      const report = await client.status(call, { signal, reserve });
      if (report.state !== 'completed' || report.output.kind !== 'image') return undefined;
      return report.output.bytes.byteLength > maxBytes ? undefined : report.output.bytes;
    } catch {
      return undefined;
    }
  };
}
