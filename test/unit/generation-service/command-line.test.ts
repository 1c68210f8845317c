import { describe, expect, it } from 'vitest';
import { readServiceArguments } from '../../../src/generation-service/command-line.ts';

describe('the command line of the service', () => {
  it('the command line of the service accepts port, key, token and folder, and has a default for everything', () => {
    expect(readServiceArguments([])).toEqual({ port: 8090, dataDir: './data/generation-service' });

    const args = ['--port', '0', '--key', 'my-key-123', '--token', 'my-token-456', '--data', '/tmp/x'];
    const read = { port: 0, apiKey: 'my-key-123', token: 'my-token-456', dataDir: '/tmp/x' };
    expect(readServiceArguments(args)).toEqual(read);
  });

  it.each([
    { args: ['--port', 'x'], expected: '--port is x' },
    { args: ['--port', '70000'], expected: '--port is 70000' },
    { args: ['--prot', '1'], expected: '--prot' },
    { args: ['--port'], expected: '--port' },
    { args: ['stray'], expected: 'stray' },
    { args: ['--key', 'a b"c$(rm)'], expected: '--key must be' },
    { args: ['--token', 'sho rt'], expected: '--token must be' },
    { args: ['--data', ''], expected: '--data is empty' },
  ])('the command line of the service explains $args in one line, without a secret', ({ args, expected }) => {
    const parsed = readServiceArguments(args);
    const mistake = 'mistake' in parsed ? parsed.mistake : '';

    expect(mistake).toContain(expected);
    expect(mistake).not.toMatch(/\n|sho rt|rm/);
  });
});
