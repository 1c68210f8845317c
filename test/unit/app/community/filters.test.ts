import { expect, it } from 'vitest';
import { openFilters } from '../../../../src/app/community/filters.ts';
import { openCommunityRecords } from '../../../../src/app/community/records.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { createLog } from '../../../../src/log/log.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import { unused } from '../../../fakes/adapter.ts';
import { openService } from '../../../fakes/campaigns.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

it('calls of alias commands are in the moderators’ lane, for their person and community, and others are not', async () => {
  const lanes: string[] = [];
  const { url, client, close } = await openService((lane, attempt, askers = []) => {
    lanes.push([lane, ...askers].join(' '));
    return attempt();
  });

  lanes.length = 0;
  const store = await openStore({ path: ':memory:', keys: [] });
  const { aliases, catalogs } = openFilters({
    store,
    members: soleMember,
    platforms: createPlatformRegistry(),
    service: { access: { url, embedded: true }, client },
    records: openCommunityRecords(readConfig({}), store, systemClock),
    notices: { listTrouble: () => undefined },
    previews: { sheet: unused, warm: unused },
    clock: systemClock,
    log: createLog({ level: 'silent', secrets: [] }),
    opened: new AsyncDisposableStack(),
  });
  const [first, second] = (await catalogs.load('mine')) ?? [];
  if (first === undefined || second === undefined) throw new Error('the service has too few custom filters');

  expect(lanes.splice(0)).toEqual(['read']);

  const ann = aliases.forPerson({ platform: 'discord', id: '7' });
  const made = await ann.create('discord:1', 'halloween', first.name);
  const id = made === 'model-needed' ? '' : made.id;
  await ann.list('discord:1');
  await ann.show('discord:1', 'halloween');
  await ann.repoint('discord:1', 'halloween', first.reference);

  expect(lanes.length).toBeGreaterThan(6);
  expect(new Set(lanes.splice(0))).toEqual(new Set(['moderator discord:7 discord:1', 'read']));

  await aliases.forPerson({ platform: 'telegram', id: 'anonymous:5' }).show('discord:1', 'halloween');
  expect(lanes.splice(0)).toEqual(['moderator shared speakers discord:1']);

  await aliases.use(id, 'halloween', 'face');
  expect(lanes.splice(0)).toEqual(['submit']);

  const campaign = { filter: second.reference, label: '', listed: true };
  await aliases.pointTo('discord:1', 'halloween', campaign, async () => true);
  await aliases.reconcile();
  await aliases.clear('discord:1');

  expect(lanes.length).toBeGreaterThan(6);
  // The list of all communities' aliases is read once for all who ask.
  expect(new Set(lanes)).toEqual(new Set(['background', 'read']));

  await store.close();
  await close();
});
