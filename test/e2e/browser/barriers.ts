import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Barriers for people that axe finds on the page. */
export const barriers = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 300)))`);
  return found as readonly string[];
};

/** The elements that stick out of the page at its right side; those in the row of chips may, because it can be pushed along. */
export const stickingOut = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('body *:not(.under *, option)')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5)
    .map((element) => element.outerHTML.slice(0, 80))`);
