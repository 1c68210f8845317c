/**
 * A process that is a member, for tests which kill or freeze it. While it has the lock, it writes into the table `acts` as
 * often as it can, and only when it is sure to be alive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createLog } from '../../../../../src/log/log.ts';
import { joinMembers } from '../../../../../src/store/postgres/members/members.ts';

const [, , url = '', lock = ''] = process.argv;
const client = new Client({ connectionString: url });
await client.connect();

const members = await joinMembers({
  config: { connectionString: url },
  setUp: '',
  version: '1',
  replaced: () => undefined,
  restored: null,
  log: createLog({ level: 'silent', secrets: [] }),
});

members.reportLoad(() => ({ steps: 3 }));
members.watch({ lost: () => console.log('lost'), joined: () => console.log(`joined ${members.id()}`) });
console.log(`joined ${members.id()}`);

await members.hold(
  lock,
  async (ended) => {
    while (!ended.aborted) {
      if (members.isAlive()) await client.query('INSERT INTO acts (member) VALUES ($1)', [members.id()]);
      await sleep(5);
    }
  },
  new AbortController().signal,
);
