// @module-tag slow
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { holds } from '../../eventually.ts';
import { openWeb, PASSWORD, signInTo } from '../../fakes/web/open-web.ts';

const visit = async (url: string, visitor: string) => {
  const cookie = await signInTo(url);
  return {
    say: async (text: string, address = visitor): Promise<number> => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ id: randomUUID(), room: 'studio', text }))
        body.set(name, value);
      const headers = { cookie, 'x-darkroom': '1', 'x-forwarded-for': address };
      const answer = await fetch(`${url}/api/messages`, { method: 'POST', body, headers });
      await answer.body?.cancel();
      return answer.status;
    },
  };
};

type Visit = Awaited<ReturnType<typeof visit>>;

/** A desk that never comes to an end for one visitor must still have an answer for another. */
it('slow commands of one visitor do not block those of others', async () => {
  const { url, desk } = await openWeb({ password: PASSWORD });
  const visits = Array.from({ length: 20 }, () => visit(url, '203.0.113.66'));

  const [first, second, last, ...others] = await Promise.all(visits);
  if (first === undefined || second === undefined || last === undefined) throw new Error('too few');
  const never = Promise.withResolvers<Reply>();
  desk.replies(...Array.from({ length: 200 }, () => never.promise));
  const taken = async (count: number, by: readonly Visit[]): Promise<number> => {
    let all = 0;
    for (let each = 0; each < count; each += 1)
      if ((await by[each % by.length]?.say('/faceswap 3')) === 202) all += 1;
    return all;
  };

  expect(await taken(60, [first])).toBe(20);
  expect(await taken(120, others)).toBe(40);
  // Somebody else at the same address, and at another one.
  expect(await last.say('/faceswap 3')).toBe(202);
  expect(await last.say('/faceswap 3', '203.0.113.1')).toBe(202);

  // Room again as soon as theirs have ended.
  never.resolve({ kind: 'note', text: 'done' });
  await holds(async () => expect(await second.say('/faceswap 3')).toBe(202));
});
