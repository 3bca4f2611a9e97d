import type { Page } from 'playwright-core'

/** Tables whose last columns are only seen by scrolling sideways. */
export const cutTables = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(`${within} table`)})].filter((each) => each.offsetWidth > each.parentElement.clientWidth + 1).map((each) => each.ariaLabel)`,
  )

export const isWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth')
