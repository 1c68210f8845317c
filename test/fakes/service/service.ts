import * as embedded from '../../../src/generation-service/service.ts';
import { createFaults } from './faults.ts';
import type { ServiceScript } from './script.ts';

/** The options of the embedded service, and a script. */
export interface GenerationServiceOptions
  extends Omit<embedded.GenerationServiceOptions, 'middleware' | 'overrideJob'> {
  script?: ServiceScript;
}

/** The embedded service of a test. */
export type GenerationService = Awaited<ReturnType<typeof createGenerationService>>;

/** The embedded service, which counts its calls and jobs and does what a script says. */
export async function createGenerationService({ script, ...options }: GenerationServiceOptions = {}) {
  const faults = createFaults(script);
  const jobs = script?.jobs;
  let accepted = 0;
  const service = await embedded.createGenerationService({
    ...options,
    middleware: faults.middleware,
    overrideJob: (job) => {
      accepted += 1;
      return (typeof jobs === 'function' ? jobs({ ...job, count: accepted }) : jobs) ?? {};
    },
  });
  return {
    ...service,
    /** How many calls each operation got, by names such as `POST /v6/status/{id}`. */
    calls: faults.calls,
    /** How many jobs were accepted since the start. */
    accepted: () => accepted,
  };
}
