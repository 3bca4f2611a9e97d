import type { Page, Route } from 'playwright-core'
import { onTestFinished } from 'vitest'

/**
 * Makes another person's change inside the next PUT that the page sends to the path: the page cannot have read it
 * before.
 */
export async function changeMeanwhile(page: Page, path: string, change: () => Promise<unknown>): Promise<void> {
  const url = `**${path}`
  let made: Promise<unknown> | undefined
  const inside = async (route: Route) => {
    if (route.request().method() === 'PUT') {
      made ??= change()
      // The end of the test throws what fails here.
      await made.catch(() => undefined)
    }
    await route.fallback()
  }
  onTestFinished(async () => {
    await page.unroute(url, inside)
    await made
  })
  await page.route(url, inside)
}
