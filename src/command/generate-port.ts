import type { PhotoRef } from './photo.ts';
import type { Reply } from './reply.ts';
import type { GenerateRequest } from './request.ts';

/** What commands that make pictures or videos use: what a request costs, and how it becomes a job. */
export interface GeneratePort {
  /** The reply if this event already started a job, before a crash or because its answer was lost. */
  begun(): Promise<Reply | undefined>;
  /** Reserves the credits and stores the job; nothing is spent if it throws. `others`: and one of each of these photos. */
  generate(
    request: GenerateRequest,
    options: { readonly private: boolean; readonly others?: readonly PhotoRef[] },
  ): Promise<Reply>;
  /** What a job of this request costs, in credits. */
  cost(request: GenerateRequest): number;
  /** What a job of this command costs, by its options, in credits; undefined: nothing, or it is not known. */
  price(command: string): { readonly least: number; readonly most: number } | undefined;
}
