import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { samples } from '../../fakes/service/sample-requests.ts';
import { type Credential, photo, send, useTarget } from './calls.ts';

const target = useTarget();

describe('credentials', () => {
  /** Every run endpoint and the path on which it is polled. */
  const runsWith = (wanted: Credential): readonly string[] => {
    const paths = samples
      .filter(({ credentials }) => credentials === wanted)
      .flatMap(({ path, statusPath }) => [`POST ${path}`, `POST ${statusPath}`]);
    return [...new Set(paths)];
  };
  const withKey = [
    ...runsWith('key'),
    ...['/v1/filters/', '/v5/filters', '/v6/filters', '/v4/multi_swap_styles/'].map((path) => `GET ${path}`),
    'GET /v1/realistic_multiswap_styles/',
    'GET /v1/stylized_multiswap_styles/',
    'GET /v1/users/me/my-custom-filters',
  ];
  const withToken = [
    ...runsWith('token'),
    ...['GET', 'POST'].map((method) => `${method} /api/alias/`),
    ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} /api/alias/x/`),
    'GET /my-aliases/',
  ];
  const call = async (operation: string, credential: Credential, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = operation.split(' ');
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    return (await send(target(), method, path, { credential, headers, ...body })).status;
  };

  it.each(withKey)('%s needs the key', async (operation) => {
    expect(await call(operation, 'none')).toBe(401);
    expect(await call(operation, 'none', { [target().apiKeyHeader]: 'wrong-key' })).toBe(401);
  });

  it.each(withToken)('%s needs the token', async (operation) => {
    expect(await call(operation, 'none')).toBe(401);
    expect(await call(operation, 'none', { authorization: 'Bearer wrong-token' })).toBe(401);
  });

  it.each([
    { operation: 'POST /v6/run/face_swap', credential: 'token' },
    { operation: 'GET /v6/filters', credential: 'token' },
    { operation: 'POST /v1/run/single_frame_video', credential: 'key' },
    { operation: 'GET /api/alias/', credential: 'key' },
  ] as const)('$operation does not take the $credential', async ({ operation, credential }) => {
    expect(await call(operation, credential)).toBe(401);
  });
});

const customs = z.array(
  z.object({
    uuid: z.uuid(),
    label: z.string(),
    filter_type: z.string().min(1),
    preview_images: z.array(z.url()).min(1),
  }),
);

describe('catalogs', () => {
  const entries = z.array(z.object({ id: z.string().regex(/^\d+$/), name: z.string().min(1) }));
  const list = async (path: string) => {
    const answer = await send(target(), 'GET', path, { credential: 'key' });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it.each(['/v1/filters/', '/v5/filters', '/v6/filters'])('%s has at least 24 face filters', async (path) => {
    const found = entries.parse(await list(path));
    expect(found.length).toBeGreaterThanOrEqual(24);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
  });

  it('v5 and v6 have the same face filter numbers', async () => {
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

  it('the catalog of v4 has styles, and a catalog answers with and without the slash at the end of its path', async () => {
    expect(entries.parse(await list('/v4/multi_swap_styles/')).length).toBeGreaterThan(0);
    expect(await list('/v1/filters')).toEqual(await list('/v1/filters/'));
  });

  it('the list of custom filters has both model types, and their previews can be fetched', async () => {
    const found = customs.parse(await list('/v1/users/me/my-custom-filters'));
    expect(found.length).toBeGreaterThanOrEqual(8);
    expect(new Set(found.map(({ filter_type }) => filter_type)).size).toBe(2);

    const preview = await fetch(found[0]?.preview_images[0] ?? '');
    expect(preview.status).toBe(200);
    expect(preview.headers.get('content-type')).toMatch(/^image\//);
  });
});

const alias = z.object({
  id: z.uuid(),
  ai_filter: z.uuid(),
  ai_filter_data: z.object({ label: z.string().min(1) }),
  project: z.string(),
  user: z.string().includes('@'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  last_used: z.iso.datetime().nullable(),
  history: z.array(
    z.object({ ai_filter_id: z.uuid(), ai_filter_name: z.string().min(1), time_removed: z.iso.datetime() }),
  ),
});
const unknownUuid = '00000000-0000-4000-8000-000000000000';

describe('aliases', () => {
  const call = (method: string, path: string, body?: unknown) =>
    send(target(), method, path, { credential: 'token', ...(body === undefined ? {} : { body }) });
  const filters = async () =>
    customs.parse(
      (await send(target(), 'GET', '/v1/users/me/my-custom-filters', { credential: 'key' })).body,
    );
  const filterOf = async (type: RegExp, index = 0) => {
    const found = (await filters()).filter(({ filter_type }) => type.test(filter_type))[index];
    if (found === undefined) throw new Error(`there is no custom filter ${type}`);
    return found;
  };
  const create = async (uuid: string, project = 'conformance') => {
    const answer = await call('POST', '/api/alias/', { ai_filter: uuid, project });
    expect([200, 201]).toContain(answer.status);
    return alias.parse(answer.body);
  };
  const remove = (id: string) => call('DELETE', `/api/alias/${id}/`);
  const post = async (path: string, body: unknown) =>
    (await send(target(), 'POST', path, { credential: 'key', body })).status;

  it('a new alias is unused and without history, and found alone and in both lists', async () => {
    const filter = await filterOf(/face/);
    const made = await create(filter.uuid);
    const fresh = { project: 'conformance', last_used: null, history: [] };

    expect(made).toMatchObject({ ai_filter: filter.uuid, ai_filter_data: { label: filter.label }, ...fresh });

    const resolved = alias.parse((await call('GET', `/api/alias/${made.id}/`)).body);
    expect(resolved).toMatchObject({ id: made.id, ai_filter: filter.uuid, history: [] });

    for (const path of ['/api/alias/', '/my-aliases/']) {
      const listed = z.array(alias).parse((await call('GET', path)).body);
      expect(listed.map(({ id }) => id)).toContain(made.id);
    }
    await remove(made.id);
  });

  it('an alias that is repointed keeps its id, and has its previous filter in its history', async () => {
    const first = await filterOf(/face/);
    const second = await filterOf(/face/, 1);
    const made = await create(first.uuid);
    const repoint = async (uuid: string) => {
      const body = { ai_filter: uuid, project: 'next' };
      return alias.parse((await call('PATCH', `/api/alias/${made.id}/`, body)).body);
    };
    const changed = await repoint(second.uuid);

    expect(changed).toMatchObject({ id: made.id, ai_filter: second.uuid, project: 'next' });
    expect(changed.history).toMatchObject([{ ai_filter_id: first.uuid, ai_filter_name: first.label }]);
    expect(Date.parse(changed.updated_at)).toBeGreaterThanOrEqual(Date.parse(made.updated_at));
    expect(changed.created_at).toBe(made.created_at);
    expect((await repoint(first.uuid)).history.map(({ ai_filter_id }) => ai_filter_id)).toEqual([
      first.uuid,
      second.uuid,
    ]);

    await remove(made.id);
  });

  it('a deleted alias is gone, and an unknown id finds none', async () => {
    const made = await create((await filterOf(/face/)).uuid);
    expect([200, 204]).toContain((await remove(made.id)).status);
    expect((await call('GET', `/api/alias/${made.id}/`)).status).toBe(404);
    expect((await call('PATCH', `/api/alias/${made.id}/`, { project: 'x' })).status).toBe(404);
    expect((await remove(made.id)).status).toBe(404);
    for (const id of [unknownUuid, 'nonsense'])
      expect((await call('GET', `/api/alias/${id}/`)).status).toBe(404);
  });

  it('an alias cannot point to a missing filter', async () => {
    expect((await call('POST', '/api/alias/', { ai_filter: unknownUuid })).status).toBe(422);
    expect((await call('POST', '/api/alias/', { project: 'x' })).status).toBe(422);
  });

  it('an alias serves as a filter id, resolved or by its own id, and shows when it was used', async () => {
    const made = await create((await filterOf(/face/)).uuid);
    const swap = { base64: await photo(), gender: 1 };

    for (const filter_id of [made.ai_filter, made.id])
      expect(await post('/v6/run/face_swap', { ...swap, filter_id })).toBe(200);

    const used = alias.parse((await call('GET', `/api/alias/${made.id}/`)).body);
    expect(used.last_used).not.toBeNull();

    await remove(made.id);
  });

  it('an alias of one model type is refused by the endpoints of the other', async () => {
    const image = await photo();
    const face = await create((await filterOf(/face/)).uuid);
    const multi = await create((await filterOf(/multi/)).uuid);
    const swap = { base64: image, gender: 1 };
    const group = { input_image: image, outpaint: false };

    for (const filter_id of [multi.id, multi.ai_filter])
      expect(await post('/v6/run/face_swap', { ...swap, filter_id })).toBe(422);
    for (const style_id of [face.id, face.ai_filter])
      expect(await post('/v5/run/multi_swap', { ...group, style_id })).toBe(422);

    await remove(face.id);
    await remove(multi.id);
  });
});
