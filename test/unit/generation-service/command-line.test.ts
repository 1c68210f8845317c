import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../src/generation-service/command-line.ts';

describe('the command line of the service', () => {
  it('has a default for everything', () => {
    expect(parseCommandLine([])).toEqual({ port: 8090, dataDir: './data/generation-service' });
  });

  it('accepts port, key, token and folder', () => {
    const args = ['--port', '0', '--key', 'my-key-123', '--token', 'my-token-456', '--data', '/tmp/x'];
    expect(parseCommandLine(args)).toEqual({
      port: 0,
      apiKey: 'my-key-123',
      token: 'my-token-456',
      dataDir: '/tmp/x',
    });
  });

  it.each([
    [['--port', 'x'], '--port is x'],
    [['--port', '70000'], '--port is 70000'],
    [['--prot', '1'], '--prot'],
    [['--port'], '--port'],
    [['stray'], 'stray'],
    [['--key', 'a b"c$(rm)'], '--key must be'],
    [['--token', 'short'], '--token must be'],
    [['--data', ''], '--data is empty'],
  ])('explains %j in one line', (args, expected) => {
    const parsed = parseCommandLine(args);
    const mistake = 'mistake' in parsed ? parsed.mistake : '';
    expect(mistake).toContain(expected);
    expect(mistake).not.toContain('\n');
  });

  it('prints no secret in an error', () => {
    const parsed = parseCommandLine(['--key', 'se cret']);
    expect(JSON.stringify(parsed)).not.toContain('se cret');
  });
});
