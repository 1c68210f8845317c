import type { PhotoRef } from '../../command/photo.ts';
import {
  type FilterChoice,
  filterOf,
  type GenerateRequest,
  optionsOf,
  photoFieldsOf,
} from '../../command/request.ts';
import type { GenerationRequest } from '../../generation-client/endpoint.ts';

export interface Sources<Photo> {
  /** What a filter choice stands for at this moment. */
  resolve(choice: FilterChoice): Promise<number | string>;
  photo(ref: PhotoRef): Promise<Photo>;
}

/** What was asked for, as the service's client takes it. Fetches what is needed; spends nothing. */
export async function toServiceRequest(
  request: GenerateRequest,
  { resolve, photo }: Sources<unknown>,
): Promise<GenerationRequest> {
  const chosen = filterOf(request)?.choice;
  const filter = chosen && (await resolve(chosen));
  const photos: Record<string, unknown> = {};
  for (const { name, refs, isList } of photoFieldsOf(request)) {
    const fetched: unknown[] = [];
    // One after the other: photos are large, and only a few are ever needed.
    for (const ref of refs) fetched.push(await photo(ref));
    photos[name] = isList ? fetched : fetched[0];
  }
  return { endpoint: request.kind, input: { ...optionsOf(request, filter), ...photos } };
}
