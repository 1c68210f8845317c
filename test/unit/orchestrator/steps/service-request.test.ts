import { expect, it } from 'vitest';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { filterOf, type GenerateRequest, optionsOf } from '../../../../src/command/request.ts';
import { createEndpoints } from '../../../../src/generation-client/endpoint.ts';
import { completeAssumptions } from '../../../../src/generation-client/wire/assumptions.ts';
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

/** The table comes from the rows of all kinds, so it also has kinds and fields that are added. */
it.each(requestsByField())(
  '$name of $kind reaches the service as it was chosen',
  async ({ name, role, values, requests }) => {
    const inputs = await Promise.all(requests.map(asked));
    const expected = role === 'filter' ? requests.map((each) => filterOf(each)?.choice.id) : values;
    expect(inputs.map((input) => input[name])).toEqual(expected);
  },
);

const custom = { by: 'uuid', id: '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f', name: 'Mine' } as const;

it('a quality is not sent with a custom filter, which has its own', async () => {
  const request = requestOf('face-swap-v6');
  if (request.kind !== 'face-swap-v6') throw new Error();
  const input = await asked({ ...request, filter: custom });

  expect(input).toMatchObject({ filter: custom.id });
  expect(input).not.toHaveProperty('quality');
});

it('the classic look has no price with a custom filter, so it is never accepted', () => {
  const request = requestOf('multi-swap-classic');
  if (request.kind !== 'multi-swap-classic') throw new Error();
  const endpoint = createEndpoints(completeAssumptions(), { simple: 5, advanced: 10, performance: 20 });

  expect(() => endpoint.of(request.kind).price(optionsOf({ ...request, style: custom }))).toThrow(
    'takes a style number',
  );
});
