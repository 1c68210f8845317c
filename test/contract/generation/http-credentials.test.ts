import { describe, expect, it } from 'vitest';
import { samples } from '../../unit/generation-client/sample.ts';
import { type Credential, send } from './http-calls.ts';
import { useTarget } from './target.ts';

/** Every run endpoint and the path on which it is polled. */
const runsWith = (wanted: Credential): readonly string[] => {
  const paths = samples
    .filter(({ credentials }) => credentials === wanted)
    .flatMap(({ path, statusPath }) => [`POST ${path}`, `POST ${statusPath}`]);
  return [...new Set(paths)];
};
const withKey = [
  ...runsWith('key'),
  'GET /v1/filters/',
  'GET /v5/filters',
  'GET /v6/filters',
  'GET /v1/realistic_multiswap_styles/',
  'GET /v1/stylized_multiswap_styles/',
  'GET /v4/multi_swap_styles/',
  'GET /v1/users/me/my-custom-filters',
];
const withToken = [
  ...runsWith('token'),
  'GET /api/alias/',
  'POST /api/alias/',
  'GET /api/alias/x/',
  'PATCH /api/alias/x/',
  'DELETE /api/alias/x/',
  'GET /my-aliases/',
];

describe('credentials', () => {
  const target = useTarget();
  const call = (operation: string, credential: Credential, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = operation.split(' ');
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    return send(target(), method, path, { credential, headers, ...body });
  };

  it.each([...withKey, ...withToken])('%s needs some', async (operation) => {
    expect((await call(operation, 'none')).status).toBe(401);
  });

  it.each(withKey)('%s refuses a wrong key', async (operation) => {
    expect((await call(operation, 'none', { [target().apiKeyHeader]: 'wrong-key' })).status).toBe(401);
  });

  it.each(withToken)('%s refuses a wrong token', async (operation) => {
    expect((await call(operation, 'none', { authorization: 'Bearer wrong-token' })).status).toBe(401);
  });

  it.each(['POST /v6/run/face_swap', 'GET /v6/filters'])('%s does not take the token', async (operation) => {
    expect((await call(operation, 'token')).status).toBe(401);
  });

  it.each(['POST /v1/run/single_frame_video', 'GET /api/alias/'])(
    '%s does not take the key',
    async (operation) => {
      expect((await call(operation, 'key')).status).toBe(401);
    },
  );
});
