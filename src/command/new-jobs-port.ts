import type { PhotoRef } from './photo.ts';
import type { Reply } from './reply.ts';
import type { GenerateRequest } from './request.ts';

/** How a request becomes a job. The desk alone uses it, once its questions are answered: commands call `generate` of their context. */
export interface NewJobsPort {
  /** The reply if this event already started a job, before a crash or because its answer was lost. */
  begun(): Promise<Reply | undefined>;
  /** Reserves the credits and stores the job; nothing is spent if it throws. `others`: and one of each of these photos. */
  make(
    request: GenerateRequest,
    options: { readonly private: boolean; readonly others?: readonly PhotoRef[] },
  ): Promise<Reply>;
  /** The credits that a job of this request costs. */
  cost(request: GenerateRequest): number;
}
