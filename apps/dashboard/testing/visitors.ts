import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A browser context of one person, its first page, and every error and warning of its pages' consoles. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly problems: string[]
}

type Options = Parameters<Browser['newContext']>[0]

/** For what a page shows or lets happen, on a busy machine. */
const WAIT_MS = 60_000

export async function visitor(browser: Browser, options: Options = {}): Promise<Visitor> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 860 },
    ...options,
  })
  context.setDefaultTimeout(WAIT_MS)
  const problems: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.text()} ${message.location().url}`.trim())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  return { context, page: await context.newPage(), problems }
}

/** A visitor whose session was opened over the API: the sign-in form has tests of its own. */
export async function member(
  browser: Browser,
  url: string,
  credentials: { readonly email: string; readonly password: string },
  options: Options = {},
): Promise<Visitor> {
  const made = await visitor(browser, options)
  const response = await made.context.request.post(`${url}/api/core/auth/login`, {
    headers: { 'x-weir-session': 'cookie', origin: url },
    data: credentials,
  })
  if (!response.ok()) throw new Error(await response.text())
  await made.context.addInitScript("localStorage.setItem('weir.known', 'yes')")
  return made
}
