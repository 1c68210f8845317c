import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { send } from './http-calls.ts';
import { useTarget } from './target.ts';

const entries = z.array(z.object({ id: z.string().regex(/^\d+$/), name: z.string().min(1) }));
const customs = z.array(
  z.object({ uuid: z.uuid(), filter_type: z.string().min(1), preview_images: z.array(z.url()).min(1) }),
);

describe('catalogs', () => {
  const target = useTarget();
  const list = async (path: string) => {
    const answer = await send(target(), 'GET', path, { credential: 'key' });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it.each(['/v1/filters/', '/v5/filters', '/v6/filters'])(
    '%s holds at least 24 face filters',
    async (path) => {
      const found = entries.parse(await list(path));
      expect(found.length).toBeGreaterThanOrEqual(24);
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    },
  );

  it('accepts the same face filter numbers for v5 and v6', async () => {
    const ids = async (path: string) => entries.parse(await list(path)).map(({ id }) => id);
    expect(await ids('/v5/filters')).toEqual(await ids('/v6/filters'));
  });

  it.each(['/v1/realistic_multiswap_styles/', '/v1/stylized_multiswap_styles/'])(
    '%s holds the styles 1 to 25',
    async (path) => {
      const numbers = entries.parse(await list(path)).map(({ id }) => Number(id));
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
    },
  );

  it('lists the styles of the v4 path', async () => {
    expect(entries.parse(await list('/v4/multi_swap_styles/')).length).toBeGreaterThan(0);
  });

  it('answers with and without the slash at the end', async () => {
    expect(await list('/v1/filters')).toEqual(await list('/v1/filters/'));
  });

  it('lists custom filters of both model types, whose previews can be fetched', async () => {
    const found = customs.parse(await list('/v1/users/me/my-custom-filters'));
    expect(found.length).toBeGreaterThanOrEqual(8);
    expect(new Set(found.map(({ filter_type }) => filter_type)).size).toBe(2);
    const preview = await fetch(found[0]?.preview_images[0] ?? '');
    expect(preview.status).toBe(200);
    expect(preview.headers.get('content-type')).toMatch(/^image\//);
  });
});
