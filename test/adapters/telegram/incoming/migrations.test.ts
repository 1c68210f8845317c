import { expect, it } from 'vitest';
import { eventually } from '../../../eventually.ts';
import { setStage } from '../stage.ts';

it('a command from a new supergroup waits until the records of the group have followed it', async () => {
  const done = Promise.withResolvers<void>();
  const moved: string[] = [];
  const stage = await setStage({
    async migrated(from, to) {
      moved.push(`${from} ${to}`);
      await done.promise;
    },
  });
  const ann = stage.fake.person('Ann');
  const [group, other] = [stage.fake.group('Club'), stage.fake.group('Another club')];
  const large = stage.fake.migrate(group);
  ann.says(large, '/help');
  ann.says(other, '/help');
  const places = () => stage.desk.heard.map(({ place }) => place.community);
  await eventually(() => places().length > 0 && moved.length > 0, 'the other group');
  expect(places()).toEqual([`telegram:${other.id}`]);
  done.resolve();
  await eventually(() => places().length === 2, 'the new supergroup');
  expect(places()[1]).toBe(`telegram:${large.id}`);
  expect(moved).toEqual([`telegram:${group.id} telegram:${large.id}`]);
  await stage.stop();
});
