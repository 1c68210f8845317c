// @module-tag slow
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Reply } from '../../../src/command/reply.ts';
import { holds } from '../../eventually.ts';
import { openWeb, PASSWORD, signInTo } from '../../fakes/web/open-web.ts';

/** A session of a visitor at this address; `say` resolves with the status of the answer. */
const visit = async (url: string, visitor: string) => {
  const cookie = await signInTo(url);
  return {
    say: async (text: string, address = visitor): Promise<number> => {
      const body = new FormData();
      body.set('id', randomUUID());
      body.set('room', 'studio');
      body.set('text', text);
      const headers = { cookie, 'x-darkroom': '1', 'x-forwarded-for': address };
      const answer = await fetch(`${url}/api/messages`, { method: 'POST', body, headers });
      await answer.body?.cancel();
      return answer.status;
    },
  };
};

type Visit = Awaited<ReturnType<typeof visit>>;

it('slow commands of one visitor do not block those of others', async () => {
  const { url, desk } = await openWeb({ password: PASSWORD });
  const visitHere = () => visit(url, '203.0.113.66');
  const first = await visitHere();
  const second = await visitHere();
  const last = await visitHere();
  const others = await Promise.all(Array.from({ length: 17 }, visitHere));
  const slow = Promise.withResolvers<Reply>();
  desk.replies(...Array.from({ length: 200 }, () => slow.promise));
  /** How many of so many commands are taken, which these sessions send in turns. */
  const taken = async (count: number, by: readonly Visit[]): Promise<number> => {
    let all = 0;
    for (let each = 0; each < count; each += 1)
      if ((await by[each % by.length]?.say('/faceswap 3')) === 202) all += 1;
    return all;
  };

  expect(await taken(60, [first])).toBe(20);
  expect(await taken(120, others)).toBe(40);
  // There is room for another session at the same address, and for another address.
  expect(await last.say('/faceswap 3')).toBe(202);
  expect(await last.say('/faceswap 3', '203.0.113.1')).toBe(202);

  // There is room again as soon as the slow commands have ended.
  slow.resolve({ kind: 'note', text: 'done' });
  await holds(async () => expect(await second.say('/faceswap 3')).toBe(202));
});
