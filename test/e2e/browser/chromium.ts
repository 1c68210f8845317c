import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const found = existsSync(path);
const demanded = process.env.DEMAND_BROWSER === '1';

/** Tests in a real browser: skipped loudly where there is none, unless they are demanded. */
export const describeInBrowser = (name: string, tests: () => void): void => {
  if (found || demanded) return void describe(name, tests);
  const reason = `NO BROWSER at ${path} (set CHROMIUM_PATH): SKIPPED "${name}"`;
  console.warn(`\n${'!'.repeat(reason.length + 4)}\n! ${reason} !\n${'!'.repeat(reason.length + 4)}\n`);
  describe.skip(`${reason}`, tests);
};

export const launchChromium = (): Promise<Browser> => {
  if (!found) throw new Error(`A browser is demanded (DEMAND_BROWSER=1), but there is none at ${path}.`);
  return chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
};
