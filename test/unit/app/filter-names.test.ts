import { expect, it } from 'vitest';
import { createNames } from '../../../src/app/filter-names.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import type { Lane } from '../../../src/generation-client/wire/transport.ts';
import { createGenerationService } from '../../../src/generation-service/service.ts';
import { createRecords } from '../../fakes/records.ts';

it('every call of an alias command goes before all other calls', async () => {
  const service = await createGenerationService({ dataDir: ':memory:' });
  const lanes: Lane[] = [];
  const client = createGenerationClient({
    baseUrl: service.url,
    apiKey: service.apiKey,
    token: service.token,
    pace: (lane, attempt) => {
      lanes.push(lane);
      return attempt();
    },
  });
  const { aliases, catalogs } = createNames({
    store: createRecords(),
    lists: createRecords(),
    service: service.url,
    client,
    clock: systemClock,
    isShared: false,
    onError: () => undefined,
  });
  const [first, second] = (await catalogs.load('mine')) ?? [];
  if (first === undefined || second === undefined) throw new Error('the service has too few custom filters');
  expect(lanes.splice(0)).toEqual(['read']);
  await aliases.create('discord:1', 'halloween', first.name);
  await aliases.list('discord:1');
  await aliases.show('discord:1', 'halloween');
  await aliases.repoint('discord:1', 'halloween', first.reference);
  await aliases.delete('discord:1', 'halloween');
  expect(lanes.length).toBeGreaterThan(6);
  expect(new Set(lanes)).toEqual(new Set(['moderator']));
  await client.close();
  await service.close();
});
