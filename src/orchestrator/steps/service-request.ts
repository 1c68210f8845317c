import type { PhotoRef } from '../../command/photo.ts';
import {
  type FilterChoice,
  filterOf,
  type GenerateRequest,
  optionsOf,
  photoFieldsOf,
} from '../../command/request.ts';
import type { GenerationRequest } from '../../generation-client/endpoint.ts';

/** Sources of the parts of a request that must be fetched first. */
interface Sources {
  /** Resolves the chosen filter to the service's number or id at this moment. */
  resolve(choice: FilterChoice): Promise<number | string>;
  photo(ref: PhotoRef): Promise<unknown>;
}

/** Makes the request to the service from a person's request. Fetches photos and resolves the filter; spends nothing. */
export async function toServiceRequest(
  request: GenerateRequest,
  { resolve, photo }: Sources,
): Promise<GenerationRequest> {
  const chosen = filterOf(request)?.choice;
  const filter = chosen && (await resolve(chosen));
  const photos: Record<string, unknown> = {};
  for (const { name, refs, isList } of photoFieldsOf(request)) {
    const fetched: unknown[] = [];
    // Fetched one after the other: photos are large, and only a few are ever needed.
    for (const ref of refs) fetched.push(await photo(ref));
    photos[name] = isList ? fetched : fetched[0];
  }
  return { endpoint: request.kind, input: { ...optionsOf(request, filter), ...photos } };
}
