import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../../needs.ts';

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
