import type { Page } from 'playwright-core'

/** Every page, by the name of its picture. */
export const PAGES: Readonly<Record<string, string>> = {
  overview: '/',
  wallets: '/app/wallets',
  addresses: '/app/wallets?tab=all',
  operations: '/app/operations',
  history: '/app/operations?tab=history',
  allocations: '/app/allocations',
  venues: '/app/venues',
  breakers: '/app/venues?tab=breakers',
  'deposit-limits': '/app/venues?tab=limits',
  ramp: '/app/ramp?tab=verification',
  'ramp-accounts': '/app/ramp?tab=accounts',
  'ramp-recipients': '/app/ramp?tab=recipients',
  'ramp-payments': '/app/ramp?tab=payments',
  reconciliation: '/app/reconciliation',
  health: '/app/health',
  activity: '/app/activity',
  webhooks: '/app/activity?tab=webhooks',
  'key-errors': '/app/activity?tab=errors',
  'key-requests': '/app/activity?tab=keys',
  requests: '/app/activity?tab=requests',
  developers: '/app/developers',
  'service-accounts': '/app/developers?tab=accounts',
  profiles: '/app/developers?tab=profiles',
  quotas: '/app/developers?tab=quotas',
  policy: '/app/policy',
  changes: '/app/changes',
  members: '/app/members',
  settings: '/app/settings',
  destinations: '/app/settings?tab=destinations',
  'single-sign-on': '/app/settings?tab=sso',
  'security-events': '/app/settings?tab=events',
  account: '/app/account',
  audit: '/app/audit',
  sandbox: '/app/sandbox',
  start: '/app/start',
}

interface Credentials {
  readonly email: string
  readonly password: string
}

export async function signIn(page: Page, url: string, credentials: Credentials): Promise<void> {
  await page.goto(`${url}/`)
  await fillSignIn(page, credentials)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** Fills in the form for email and password, and sends it. */
export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens a page and waits until nothing loads. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settled(page)
}

const NOWHERE = 'Page not found'

/**
 * Goes to a page of the dashboard that is open, as a link does: without another load of its files, and of axe. It comes
 * from nowhere, so that no part of the previous page is taken for this one.
 */
export async function visit(page: Page, path: string, { waits = true } = {}): Promise<void> {
  const go = (to: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(to)})`)
  await go('/app/nowhere')
  await page.getByRole('heading', { level: 1, name: NOWHERE }).waitFor()
  await go(path)
  await page.getByRole('heading', { level: 1, name: NOWHERE }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (waits) await settled(page)
}

/** The page has its heading, no skeleton, and no table that still shows the rows of another page. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-label="Loading"], table[aria-busy="true"]').first().waitFor({ state: 'detached' })
}

/** Chooses the day at whose end a page shows its amounts. The field becomes one for days when somebody comes near it. */
export async function fillDay(page: Page, day: string): Promise<void> {
  const field = page.getByLabel('As of the end of a day, UTC')
  await field.focus()
  await field.and(page.locator('[type=date]')).fill(day)
}
