// @module-tag slow
/** Each `sslmode`, tried with a real server and a certificate of an authority of its own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { storeUrl } from '../../../src/config/setting-kinds.ts';
import { databaseAddressOf } from '../../../src/store/postgres/database/address.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';
import { type PostgresCluster, startPostgresCluster } from '../../fakes/postgres-cluster.ts';

const HBA = `hostssl all certified all cert
hostnossl all encrypted all reject
local all all trust
host all all all trust
`;
/** The name in the certificate, and one that is not. */
const RIGHT = 'localhost';
const WRONG = '127.0.0.1';

describe('connections to a server with a certificate', { tags: ['postgres-programs'] }, () => {
  let folder: string;
  let cluster: PostgresCluster;
  const file = (name: string): string => join(folder, name);
  const openssl = (args: string): void =>
    void execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'ignore' });
  const authority = (name: string): void =>
    openssl(`req -x509 -newkey rsa:2048 -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.crt`);
  const certificate = (name: string, subject: string, extension: string): void => {
    openssl(`req -newkey rsa:2048 -nodes -subj /CN=${subject} -keyout ${name}.key -out ${name}.csr`);
    writeFileSync(file(`${name}.ext`), extension);
    const signer = '-CA own.crt -CAkey own.key -CAcreateserial';
    openssl(`x509 -req -in ${name}.csr ${signer} -extfile ${name}.ext -out ${name}.crt`);
    chmodSync(file(`${name}.key`), 0o600);
  };
  const urlOf = (host: string, options: string, user = 'darkroom'): string =>
    `postgres://${user}@${host}:${cluster.port}/postgres?${options}`.replaceAll('FOLDER', folder);
  /** `plain` or `encrypted`, or why not, as the owner reads it. */
  const outcome = async (url: string): Promise<string> => {
    try {
      const opened = await openStoreAt(url);
      await opened.store.tryToWrite();
      await opened.close();
      const client = new Client(databaseAddressOf(url).config);
      await client.connect();
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      await client.end();
      return rows[0]?.ssl === true ? 'encrypted' : 'plain';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'darkroom-ssl-'));
    chmodSync(folder, 0o755);
    authority('own');
    authority('other');
    certificate('server', RIGHT, `subjectAltName=DNS:${RIGHT}`);
    certificate('client', 'certified', 'extendedKeyUsage=clientAuth');
    writeFileSync(file('pg_hba.conf'), HBA);
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', file('server.key')]);
    cluster = await startPostgresCluster({
      settings: {
        ssl: 'on',
        ssl_cert_file: file('server.crt'),
        ssl_key_file: file('server.key'),
        ssl_ca_file: file('own.crt'),
        hba_file: file('pg_hba.conf'),
      },
    });
    const admin = new Client(cluster.url);
    await admin.connect();
    await admin.query('CREATE ROLE certified LOGIN SUPERUSER; CREATE ROLE encrypted LOGIN SUPERUSER');
    await admin.end();
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  const own = 'sslrootcert=FOLDER/own.crt';
  const other = 'sslrootcert=FOLDER/other.crt';
  const unknown = /its certificate is from an authority that is not known here\. Set sslrootcert/;
  const misnamed = /its certificate is for another name than the host/;
  const plain = /^plain$/;
  const encrypted = /^encrypted$/;

  it.each([
    { options: '', host: RIGHT, expected: plain },
    { options: 'sslmode=require', host: WRONG, expected: encrypted },
    { options: `sslmode=require&${own}`, host: WRONG, expected: encrypted },
    { options: `sslmode=require&${other}`, host: RIGHT, expected: unknown },
    { options: 'sslmode=verify-ca', host: RIGHT, expected: /sslmode=verify-ca needs sslrootcert/ },
    { options: `sslmode=verify-ca&${own}`, host: WRONG, expected: encrypted },
    { options: `sslmode=verify-ca&${other}`, host: RIGHT, expected: unknown },
    { options: 'sslmode=verify-full', host: RIGHT, expected: unknown },
    { options: `sslmode=verify-full&${own}`, host: RIGHT, expected: encrypted },
    { options: `sslmode=verify-full&${own}`, host: WRONG, expected: misnamed },
    { options: 'sslmode=verify-full&sslrootcert=system', host: RIGHT, expected: unknown },
    {
      options: 'sslmode=require&sslrootcert=system',
      host: RIGHT,
      expected: /sslrootcert=system needs sslmode=verify-full/,
    },
    { options: 'sslmode=no-verify', host: WRONG, expected: encrypted },
    { options: `sslmode=no-verify&${other}`, host: WRONG, expected: encrypted },
    { options: own, host: RIGHT, expected: encrypted },
    { options: `sslmode=require&${other}&ssl=no-verify&uselibpqcompat=true`, host: RIGHT, expected: unknown },
    {
      options: 'sslmode=require&sslrootcert=FOLDER/none.crt',
      host: RIGHT,
      expected: /sslrootcert cannot be read: .*none\.crt \(ENOENT\)/,
    },
    { options: 'sslmode=require&sslrootcert=FOLDER/server.ext', host: RIGHT, expected: unknown },
  ])(
    'a connection with $options to $host is encrypted, or refused with the reason',
    async ({ options, host, expected }) => {
      const warned: unknown[] = [];
      const warn = (warning: unknown): void => void warned.push(warning);
      process.on('warning', warn);
      onTestFinished(() => void process.off('warning', warn));

      const found = await outcome(urlOf(host, options));

      expect(found).toMatch(expected);
      expect(warned).toEqual([]);
    },
  );

  it('a connection can have a certificate of its own', async () => {
    const files = 'sslcert=FOLDER/client.crt&sslkey=FOLDER/client.key';
    expect(await outcome(urlOf(RIGHT, `sslmode=verify-full&${own}&${files}`, 'certified'))).toBe('encrypted');
    expect(await outcome(urlOf(RIGHT, `sslmode=require&${files}`, 'certified'))).toBe('encrypted');
    expect(await outcome(urlOf(RIGHT, 'sslmode=require', 'certified'))).toMatch(/sslcert and sslkey/);
    expect(await outcome(urlOf(RIGHT, '', 'encrypted'))).toMatch(/add \?sslmode=require/);
    expect(await outcome(urlOf(RIGHT, 'sslmode=require', 'encrypted'))).toBe('encrypted');
  });
});

it.each([
  { mode: 'prefer', words: 'sslmode=prefer encrypts or not, as the server likes; set require or disable' },
  { mode: 'allow', words: 'sslmode=allow encrypts or not, as the server likes; set require or disable' },
  {
    mode: 'verify_full',
    words: 'the sslmode is none of disable, require, verify-ca, verify-full, no-verify',
  },
])('sslmode=$mode is refused with the settings', ({ mode, words }) => {
  const { error } = storeUrl.schema.safeParse(`postgres://ann@db/darkroom?sslmode=${mode}`);
  expect(error?.issues[0]?.message).toBe(words);
});
