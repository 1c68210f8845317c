import { expect, it } from 'vitest';
import { createApprovals } from '../../../src/community/approvals/approvals.ts';
import { createAllowanceOf } from '../../../src/community/rules/allowance.ts';
import { createAudit } from '../../../src/community/rules/audit.ts';
import { createCommunityRules } from '../../../src/community/rules/settings.ts';
import { createCommunities } from '../../../src/console/pages/community-data.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { createRecords } from '../../fakes/records.ts';

it('reads the communities of a page at the same time', async () => {
  await using opened = new AsyncDisposableStack();
  const store = await openStore({ path: ':memory:', keys: [], now: Date.now });
  opened.defer(store.close);
  const rules = createCommunityRules(store.keyv('settings'), Date.now);
  for (const id of ['discord:1', 'discord:2', 'telegram:-5']) await rules.setCredits(id, 7);
  await rules.move('telegram:-5', 'telegram:-1005');
  const [all, asked] = [Promise.withResolvers<void>(), new Set<string>()];
  const communities = createCommunities({
    ownerLanguage: 'en',
    approvalNeeded: false,
    ceiling: undefined,
    store: {
      ...store,
      usage: {
        ...store.usage,
        async community(day, id) {
          if (asked.add(id).size === 3) all.resolve();
          await all.promise;
          return store.usage.community(day, id);
        },
      },
    },
    rules,
    approvals: createApprovals(createRecords(), Date.now, () => 'id'),
    campaigns: { of: async () => new Map(), upcoming: async () => ({ list: [], isAll: true }) },
    outgoing: { say: async () => ({ state: 'gone' }) },
    allowances: createAllowanceOf(100, 1000),
    consoleAudit: createAudit(store.audit, () => undefined, Date.now).noteOfConsole,
    clock: { now: Date.now },
  });
  const { list } = await communities.page(undefined);
  expect(list.map(({ id }) => id)).toEqual(['discord:1', 'discord:2', 'telegram:-1005']);
  expect(list[0]).toMatchObject({ allowance: 7, credits: 0 });
});
