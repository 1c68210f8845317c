import { expect, it, onTestFinished } from 'vitest';
import { openFilters } from '../../../../src/app/community/filters.ts';
import { openCommunityRecords } from '../../../../src/app/community/records.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { createLog } from '../../../../src/log/log.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import { unused } from '../../../fakes/adapter.ts';
import { openService } from '../../../fakes/campaigns.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

/** The lists of filters and aliases over a service, and the lanes of the calls to it since they were asked for last. */
const openWithLanes = async () => {
  let lanes: string[] = [];
  const { url, client, close } = await openService((lane, attempt, askers = []) => {
    lanes.push([lane, ...askers].join(' '));
    return attempt();
  });
  const store = await openSqliteStore({ path: ':memory:', keys: [] });
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
  onTestFinished(async () => {
    await store.close();
    await close();
  });
  const takeLanes = (): readonly string[] => {
    const taken = lanes;
    lanes = [];
    return taken;
  };
  takeLanes();
  const [first, second] = (await catalogs.load('mine')) ?? [];
  if (first === undefined || second === undefined) throw new Error('the service has too few custom filters');
  expect(takeLanes()).toEqual(['read']);
  return { aliases, first, second, takeLanes };
};

/** Like `openWithLanes`, where a moderator has made an alias. */
const openWithAlias = async () => {
  const opened = await openWithLanes();
  const ann = opened.aliases.forPerson({ platform: 'discord', id: '7' });
  const made = await ann.create('discord:1', 'halloween', opened.first.name);
  if (made === 'model-needed') return expect.fail('the model is known');
  opened.takeLanes();
  return { ...opened, id: made.id };
};

it('calls of alias commands are in the moderators’ lane, for their person and community', async () => {
  const { aliases, first, takeLanes } = await openWithLanes();
  const ann = aliases.forPerson({ platform: 'discord', id: '7' });

  await ann.create('discord:1', 'halloween', first.name);
  await ann.list('discord:1');
  await ann.show('discord:1', 'halloween');
  await ann.repoint('discord:1', 'halloween', first.reference);

  const lanes = takeLanes();
  expect(lanes.length).toBeGreaterThan(6);
  // The list of all communities' aliases is read once for all who ask.
  expect(new Set(lanes)).toEqual(new Set(['moderator discord:7 discord:1', 'read']));
});

it('calls of alias commands by hidden administrators are those of one person', async () => {
  const { aliases, takeLanes } = await openWithAlias();

  await aliases.forPerson({ platform: 'telegram', id: 'anonymous:5' }).show('discord:1', 'halloween');

  expect(takeLanes()).toEqual(['moderator shared speakers discord:1']);
});

it('calls for the alias of a job are in the lane of submissions', async () => {
  const { aliases, id, takeLanes } = await openWithAlias();

  await aliases.use(id, 'halloween', 'face');

  expect(takeLanes()).toEqual(['submit']);
});

it('calls of campaigns, of repairs and for a forgotten community are in the background', async () => {
  const { aliases, second, takeLanes } = await openWithAlias();
  const campaign = { filter: second.reference, label: '', listed: true };

  await aliases.pointTo('discord:1', 'halloween', campaign, async () => true);
  await aliases.reconcile();
  await aliases.clear('discord:1');

  const lanes = takeLanes();
  expect(lanes.length).toBeGreaterThan(4);
  expect(new Set(lanes)).toEqual(new Set(['background', 'read']));
});
