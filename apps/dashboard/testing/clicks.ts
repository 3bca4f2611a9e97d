import type { Page } from 'playwright-core'

/** Counts the clicks, taps and pressed buttons of a person from now on; they survive links, but not a new document. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    "window.clicks = 0; addEventListener('click', (event) => { if (event.isTrusted) window.clicks += 1 }, true)",
  )
  return () => page.evaluate<number>('window.clicks')
}
