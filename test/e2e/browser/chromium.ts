import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../../needs.ts';

/** Starts the browser of this machine, with flags that it needs as root and in containers with little shared memory. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
