import { describe, expect, it } from 'vitest';
import type { ServiceCatalogName } from '../../../src/generation-client/lists.ts';
import { apiKey, failureOf, openClient, token } from '../../fakes/service/open-client.ts';
import { otherUuid, uuid } from '../../fakes/service/sample-requests.ts';
import { json, text } from '../../fakes/service/scripted-service.ts';

describe('catalogs', () => {
  const paths: readonly { readonly name: ServiceCatalogName; readonly path: string }[] = [
    { name: 'face-v1', path: '/v1/filters/' },
    { name: 'face-v5', path: '/v5/filters' },
    { name: 'face-v6', path: '/v6/filters' },
    { name: 'classic', path: '/v4/multi_swap_styles/' },
    { name: 'realistic', path: '/v1/realistic_multiswap_styles/' },
    { name: 'stylized', path: '/v1/stylized_multiswap_styles/' },
  ];

  it.each(paths)('the catalog $name is read from $path with the key', async ({ name, path }) => {
    const { client, service } = await openClient(json(200, [{ id: '12', name: 'Pop Art' }]));

    expect(await client.catalog(name)).toEqual([{ id: 12, name: 'Pop Art' }]);
    expect(service.seen[0]).toMatchObject({ method: 'GET', path, body: '' });
    expect(service.seen[0]?.headers['x-api-key']).toBe(apiKey);
  });

  const long = '🎃'.repeat(80);
  const cut = `${'🎃'.repeat(49)}…`;
  const given = { id: '3', name: 'A' };
  const read = { id: 3, name: 'A' };

  it.each([
    {
      what: 'a long name, cut between two characters',
      answer: [{ id: 3, name: long }],
      expected: [{ id: 3, name: cut }],
    },
    { what: 'numbers for ids', answer: [read], expected: [read] },
    { what: 'an envelope', answer: { count: 1, results: [given] }, expected: [read] },
    { what: 'other names', answer: { filters: [{ filter_id: '3', label: 'A' }] }, expected: [read] },
    { what: 'no name', answer: [{ id: '3' }], expected: [{ id: 3, name: 'Filter 3' }] },
    {
      what: 'entries without sense between good ones',
      answer: [{ id: 'x' }, null, 7, given],
      expected: [read],
    },
    { what: 'what is listed twice', answer: [given, { ...read, name: 'B' }], expected: [read] },
    { what: 'nothing', answer: [], expected: [] },
    { what: 'nothing but what is no entry', answer: ['a', null], expected: [] },
    {
      what: 'the first of several lists by name',
      answer: { filters: [{ id: '4' }], results: [given] },
      expected: [read],
    },
    { what: 'the list that is not empty', answer: { results: [], filters: [given] }, expected: [read] },
    {
      what: 'previews',
      answer: [
        { id: 1, name: 'A', preview: 'https://p.example/1.jpg' },
        { id: 2, name: 'B', preview_images: [{ url: 'https://p.example/2.jpg' }, 'https://p.example/3.jpg'] },
        { id: 3, name: 'C', preview: 'javascript:alert(1)' },
        { id: 4, name: 'D', preview: 'no link', thumbnail: '//p.example/4.jpg' },
      ],
      expected: [
        { id: 1, name: 'A', preview: 'https://p.example/1.jpg' },
        { id: 2, name: 'B', preview: 'https://p.example/2.jpg' },
        { id: 3, name: 'C' },
        { id: 4, name: 'D', preview: 'http://p.example/4.jpg' },
      ],
    },
    {
      what: 'names with markup',
      answer: [{ id: 1, name: '<b>Pop</b>\u0007 Art' }],
      expected: [{ id: 1, name: 'Pop Art' }],
    },
  ])('catalogs accept $what', async ({ answer, expected }) => {
    const { client } = await openClient(json(200, answer));

    expect(await client.catalog('face-v6')).toEqual(expected);
  });

  it('catalogs have previews relative to the service', async () => {
    const { client, service } = await openClient(json(200, [{ id: 1, name: 'A', preview: '/p/1.jpg' }]));
    const [entry] = await client.catalog('face-v6');

    expect(entry?.preview).toBe(`${service.url}/p/1.jpg`);
  });

  it.each([
    { answer: {} },
    { answer: 'text' },
    { answer: null },
    { answer: 5 },
    { answer: [{ id: 'none' }] },
  ])('catalogs reject what is no list: $answer', async ({ answer }) => {
    const { client } = await openClient(json(200, answer));

    expect((await failureOf(client.catalog('face-v6'))).kind).toBe('bad-response');
  });

  it.each([
    { words: /larger than allowed/, answer: `[${' '.repeat(9 * 1024 * 1024)}]` },
    {
      words: /nested too deeply or too long/,
      answer: `[${Array(20)
        .fill(`{"id":1,"x":[${'[],'.repeat(15_000)}0]}`)
        .join()}]`,
    },
    { words: /not valid JSON/, answer: '[{"id":1}] and more' },
  ])('catalogs are bounded and read as a whole: $words', async ({ words, answer }) => {
    const { client } = await openClient(text(200, answer));

    expect((await failureOf(client.catalog('face-v6'))).message).toMatch(words);
  });
});

it('custom filters have UUID, name, model and previews under any of the known field names', async () => {
  const third = '33333333-3333-4333-8333-333333333333';
  const { client, service } = await openClient(
    json(200, [
      {
        uuid: uuid.toUpperCase(),
        label: 'Winter',
        filter_type: 'face_swap',
        preview_images: ['https://p.example/1.jpg'],
      },
      { id: otherUuid, name: 'Team', filter_type: 'MULTI_FACE_SWAP' },
      { id: 17, uuid: third, filter_type: 'something new' },
      { id: 17, name: 'no UUID' },
    ]),
  );
  expect(await client.customFilters()).toEqual([
    { id: uuid, name: 'Winter', model: 'face', previews: ['https://p.example/1.jpg'] },
    { id: otherUuid, name: 'Team', model: 'group', previews: [] },
    { id: third, name: third, model: 'unknown', previews: [] },
  ]);
  expect(service.seen[0]?.path).toBe('/v1/users/me/my-custom-filters');
  expect(service.seen[0]?.headers['x-api-key']).toBe(apiKey);
});

describe('aliases', () => {
  const removed = { ai_filter_id: uuid, ai_filter_name: 'Autumn', time_removed: '2026-01-02T00:00:00Z' };

  const wire = {
    id: uuid,
    ai_filter: otherUuid,
    ai_filter_data: { label: 'Winter' },
    project: 'discord:1',
    user: 'owner@mail.example',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    last_used: null,
    history: [removed, 'junk'],
    something_new: 1,
  };

  const alias = {
    id: uuid,
    filter: otherUuid,
    label: 'Winter',
    project: 'discord:1',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-02T00:00:00Z',
    history: [{ filter: uuid, name: 'Autumn', removedAt: '2026-01-02T00:00:00Z' }],
  };

  it('aliases are listed, resolved and created with the token', async () => {
    const { client, service } = await openClient(json(200, [wire]));
    const listed = { ...alias, history: [] };

    expect(await client.aliases.list()).toEqual([listed]);
    expect(await client.aliases.mine()).toEqual([listed]);

    service.answerWith(json(201, wire));

    expect(await client.aliases.resolve(uuid)).toEqual(alias);
    expect(await client.aliases.create({ filter: otherUuid, project: 'discord:1' })).toEqual(alias);
    expect(service.seen).toMatchObject([
      { method: 'GET', path: '/api/alias/', body: '' },
      { method: 'GET', path: '/my-aliases/', body: '' },
      { method: 'GET', path: `/api/alias/${uuid}/`, body: '' },
      {
        method: 'POST',
        path: '/api/alias/',
        body: JSON.stringify({ ai_filter: otherUuid, project: 'discord:1' }),
      },
    ]);
    expect(new Set(service.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${token}`]),
    );
    expect(service.seen.every(({ headers }) => headers['x-api-key'] === undefined)).toBe(true);
  });

  it('aliases that are invalid are dropped from a list, unless all are', async () => {
    const { client, service } = await openClient(
      json(200, [{ ...wire, id: 5 }, wire, { ...wire, ai_filter: 12 }]),
    );
    expect(await client.aliases.list()).toEqual([{ ...alias, history: [] }]);

    service.answerWith(json(200, [{ ...wire, id: 5 }]));

    expect((await failureOf(client.aliases.list())).kind).toBe('bad-response');
  });

  it('aliases are listed however long the histories and however odd the names of others’ are', async () => {
    const history = Array(200).fill({ ...removed, ai_filter_name: ' ]},{"[\\" '.repeat(20) });
    const idOf = (n: number) => uuid.slice(0, -4) + String(1000 + n);
    const odd = { ...wire, project: '],[{"', history };
    const others = Array.from({ length: 150 }, (_, n) => ({ ...odd, id: idOf(n) }));
    const large = { ...wire, id: idOf(500), project: 'x'.repeat(2 * 1024 * 1024) };

    for (const document of [
      [...others, large, wire],
      { next: [null], results: [...others, wire], data: [5] },
      { data: [], aliases: [...others, wire] },
      { data: [5], results: [...others, wire], items: [] },
    ]) {
      const { client } = await openClient(json(200, document));
      // A probe with the same answer shows that the service answers.
      await client.probe('token');
      const listed = await client.aliases.list();
      expect(listed).toHaveLength(151);
      expect(listed.at(-1)).toEqual({ ...alias, history: [] });
    }
  });

  it('aliases beyond the twenty thousandth of a list are left out, so that its length does not decide the memory', async () => {
    const idOf = (n: number) => uuid.slice(0, -5) + String(10_000 + n);
    const aliases = Array.from({ length: 20_001 }, (_, n) => ({ id: idOf(n), ai_filter: otherUuid }));
    const { client } = await openClient(json(200, aliases));

    const listed = await client.aliases.list();

    expect(listed).toHaveLength(20_000);
    expect(listed.at(-1)?.id).toBe(idOf(19_999));
  });

  it('a response that is no list of aliases is refused', async () => {
    const broken = ['{"id":[1]}', '[{"id":1}', '[', '[{]', '"results":[]', '[{"a":}]', '{"results":{}}'];

    for (const body of broken) {
      const { client } = await openClient(text(200, body));
      expect((await failureOf(client.aliases.list())).kind).toBe('bad-response');
    }
    const { client } = await openClient(text(200, ' [ ] '));

    expect(await client.aliases.list()).toEqual([]);
  });

  it('aliases can have no filter, if it was deleted', async () => {
    const { client, service } = await openClient(json(200, [{ ...wire, ai_filter: null }]));
    const without = { ...alias, filter: undefined };

    expect(await client.aliases.list()).toEqual([{ ...without, history: [] }]);

    service.answerWith(json(200, { ...wire, ai_filter: null }));

    expect(await client.aliases.resolve(uuid)).toEqual(without);
  });

  it('aliases keep their project unchanged', async () => {
    const project = ' <b>a</b>  \u202e?x=1';
    const { client } = await openClient(json(200, { ...wire, project }));

    expect((await client.aliases.resolve(uuid)).project).toBe(project);
  });

  it.each([
    { what: '204', answer: text(204, '') },
    { what: '200 with nothing', answer: text(200, '') },
    { what: '200 with an alias', answer: json(200, wire) },
    { what: '202 with words', answer: text(202, 'fine') },
  ])('aliases are changed and deleted with any success response: $what', async ({ answer }) => {
    const { client, service } = await openClient(answer);

    await client.aliases.update(uuid, { filter: otherUuid, project: 'p' });
    await client.aliases.delete(uuid);

    expect(service.seen).toMatchObject([
      {
        method: 'PATCH',
        path: `/api/alias/${uuid}/`,
        body: JSON.stringify({ ai_filter: otherUuid, project: 'p' }),
      },
      { method: 'DELETE', path: `/api/alias/${uuid}/`, body: '' },
    ]);
  });

  it('aliases are named by a UUID and point to a UUID', async () => {
    const { client, service } = await openClient(json(200, wire));

    expect((await failureOf(client.aliases.create({ filter: '12' }))).message).toMatch(/catalog number/);
    expect((await failureOf(client.aliases.update(uuid, { filter: '12', project: 'discord:1' }))).kind).toBe(
      'rule',
    );
    expect((await failureOf(client.aliases.resolve('../x'))).kind).toBe('rule');
    expect((await failureOf(client.aliases.delete(''))).kind).toBe('rule');
    expect(service.seen).toHaveLength(0);
  });

  it('aliases that are created without an id in the response have an unknown outcome', async () => {
    const { client, service } = await openClient(json(200, { ai_filter: otherUuid }));

    expect((await failureOf(client.aliases.create({ filter: otherUuid }))).kind).toBe('unknown-outcome');
    expect(service.seen).toHaveLength(1);
  });
});
