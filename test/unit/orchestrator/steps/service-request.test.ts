import { expect, it } from 'vitest';
import { filterOf, type GenerateRequest, type JobKind, KINDS } from '../../../../src/command/kinds.ts';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { endpoints } from '../../../../src/generation-client/endpoints.ts';
import { toServiceRequest } from '../../../../src/orchestrator/steps/service-request.ts';
import { requestOf, requestsByField } from '../../../fakes/requests.ts';

const asked = async (request: GenerateRequest): Promise<Readonly<Record<string, unknown>>> => {
  const { endpoint, input } = await toServiceRequest(request, {
    resolve: async ({ id }) => id,
    photo: async (ref: PhotoRef) => ref,
  });
  expect(endpoint).toBe(request.kind);
  return input;
};

/** Options, texts and filters have the same name in both tables, and photos the same order. */
const nameAtService = (kind: JobKind, name: string): string => {
  const photos = Object.entries<{ readonly role: string }>(KINDS[kind].fields)
    .filter(([, { role }]) => role === 'photo' || role === 'photos')
    .map(([each]) => each);
  return Object.keys(endpoints[kind].photos.shape)[photos.indexOf(name)] ?? name;
};

/** So also of a kind, and of a field, that is added. */
it.each(requestsByField())(
  '$name of $kind reaches the service as it was chosen',
  async ({ kind, name, role, values, requests }) => {
    const inputs = await Promise.all(requests.map(asked));
    const expected = role === 'filter' ? requests.map((each) => filterOf(each)?.choice.id) : values;
    expect(inputs.map((input) => input[nameAtService(kind, name)])).toEqual(expected);
  },
);

const custom = { by: 'uuid', id: '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f', name: 'Mine' } as const;

it('a quality is not sent with a custom filter, which has its own', async () => {
  const request = requestOf('face-swap-v6');
  if (request.kind !== 'face-swap-v6') throw new Error();
  expect(await asked({ ...request, filter: custom })).toMatchObject({
    filter: custom.id,
    quality: undefined,
  });
});

it('the classic look refuses a custom filter', async () => {
  const request = requestOf('multi-swap-classic');
  if (request.kind !== 'multi-swap-classic') throw new Error();
  await expect(asked({ ...request, style: custom })).rejects.toThrow('takes a style number');
});
