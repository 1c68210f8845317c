import { expect } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config/config.ts';

/** Why these settings are refused. */
export function problem(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return expect.fail(`accepted: ${JSON.stringify(env)}`);
}
