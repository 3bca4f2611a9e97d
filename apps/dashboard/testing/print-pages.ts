import type { Browser, Page } from 'playwright-core'

const LONGEST_TEXT = 3_000

/** Prints what every open page shows: the error of a test names only what did not appear. */
export async function printPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/failed-${Date.now()}.png` })
    process.stderr.write(`${page.url()} shows:\n${await textOf(page)}\n\n`)
  }
}

async function textOf(page: Page): Promise<string> {
  try {
    return (await page.locator('body').innerText({ timeout: 1_000 })).slice(0, LONGEST_TEXT)
  } catch (error) {
    return String(error)
  }
}
