import { expect, test } from 'vitest'
import { barriers, barriersInDark } from '../testing/barriers.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { inShort } from '../testing/in-short.ts'
import { cutTables, isWide } from '../testing/layout.ts'
import { open, PAGES, visit } from '../testing/pages.ts'
import { member, type Visitor } from '../testing/visitors.ts'

const PASSWORD = 'a long enough password'

interface PageState {
  /** A person in whose browser every page is in this state; an owner sees the most of it. */
  enter(fixture: DashboardFixture): Promise<Visitor>
  /** Whether skeletons stay. */
  readonly isLoading?: boolean
}

/** What a page asks the service, but for who is signed in. */
const isData = ({ pathname }: URL) => /^\/(api|v1)\//.test(pathname) && !pathname.endsWith('/browser-session')

const STATES: Readonly<Record<string, PageState>> = {
  empty: {
    async enter({ browser, url }) {
      const email = `erin@empty-${Date.now().toString(36)}.example`
      const organization = { email, password: PASSWORD, name: 'Erin', organizationName: 'Empty' }
      await requestsTo(url)('POST', '/api/core/auth/register', organization)
      return member(browser, url, { email, password: PASSWORD })
    },
  },
  loading: {
    async enter({ browser, url, as }) {
      const made = await member(browser, url, as('owner'))
      await made.context.route(isData, () => {})
      return made
    },
    isLoading: true,
  },
  error: {
    async enter({ browser, url, as }) {
      const made = await member(browser, url, as('owner'))
      const refusal = { status: 409, json: { code: 'CONFLICT', message: 'Not now.' } }
      await made.context.route(isData, (route) => route.fulfill(refusal))
      return made
    },
  },
  'without rights': {
    enter: ({ browser, url, as }) => member(browser, url, as('viewer')),
  },
}

/** What a page of a new organization in the sandbox leads to: its path, the link, and where it goes. */
const NEXT_STEPS = [
  ['/', 'Deploy test money', '/app/start'],
  ['/', 'Add a wallet', '/app/wallets?add=1'],
  ['/app/operations', 'Deploy test money', '/app/start'],
  ['/app/operations?tab=history', 'Deploy test money', '/app/start'],
  ['/app/allocations', 'Deploy test money', '/app/start'],
  ['/app/ramp?tab=payments', 'Open the accounts', '/app/ramp?tab=accounts'],
  ['/app/health', 'Run an agent', '/app/sandbox'],
  ['/app/health', 'Add a wallet', '/app/wallets?add=1'],
  ['/app/changes', 'Set the change policy', '/app/settings'],
] as const

/** What holds for every page in every state but the full one, and for two tabs of one person. */
export function stateTests(fixture: () => DashboardFixture): void {
  const states = Object.entries(STATES).map(([name, state], turn) => [name, { ...state, turn }] as const)
  test.each(states)(
    'pages are accessible in light and in dark, and fit on a phone, when they are %s',
    async (name, { enter, isLoading, turn }) => {
      const { context, page } = await enter(fixture())
      await page.goto(`${fixture().url}/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const found: string[] = []
      for (const [each, path] of inShort(Object.entries(PAGES), turn)) {
        await visit(page, path, { waits: !isLoading })
        for (const barrier of await barriers(page)) found.push(`${each}, ${name}: ${barrier}`)
        for (const barrier of await barriersInDark(page)) found.push(`${each}, ${name}, dark: ${barrier}`)
        await page.setViewportSize(PHONE)
        for (const table of await cutTables(page)) found.push(`${each}, ${name}, phone: cuts ${table}`)
        if (await isWide(page)) found.push(`${each}, ${name}, phone: scrolls sideways`)
        await page.setViewportSize(DESKTOP)
      }
      expect(found).toEqual([])
      await context.close()
    },
  )

  test('an empty page leads to its next step, and offers none to who may not take it', async () => {
    const { browser, url } = fixture()
    const domain = `next-${Date.now().toString(36)}.example`
    const asked = { email: `nell@${domain}`, password: PASSWORD, name: 'Nell', organizationName: 'Next' }
    const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/register', asked)
    const reader = { email: `rob@${domain}`, password: PASSWORD, name: 'Rob', role: 'viewer' }
    await requestsTo(url, { authorization: `Bearer ${accessToken}` })('POST', '/api/core/members', reader)
    const [owner, viewer] = await Promise.all([member(browser, url, asked), member(browser, url, reader)])
    await Promise.all([open(owner.page, `${url}/`), open(viewer.page, `${url}/`)])
    for (const [path, name, target] of NEXT_STEPS) {
      await Promise.all([visit(owner.page, path), visit(viewer.page, path)])
      const step = owner.page.getByRole('main').getByRole('link', { name, exact: true })
      expect(await step.getAttribute('href'), path).toBe(target)
      expect(await viewer.page.getByRole('main').getByText(name, { exact: true }).count(), path).toBe(0)
    }
    const empty = owner.page.getByText('No recipient yet').locator('..')
    await visit(owner.page, '/app/ramp?tab=recipients')
    await empty.getByRole('button', { name: 'Add a recipient' }).click()
    await owner.page.getByRole('dialog', { name: 'Add a recipient' }).waitFor()
    await owner.context.close()
    await viewer.context.close()
  })

  test('two tabs of one person show the same, and leave together; a request for approval closes its dialog', async () => {
    const { browser, url, as } = fixture()
    const { context, page: one } = await member(browser, url, as('owner'))
    const other = await context.newPage()
    const profiles = `${url}/app/developers?tab=profiles`
    await Promise.all([open(one, profiles), open(other, profiles)])
    const profile = `Made in one tab ${Date.now().toString(36)}`
    await one.getByLabel('New profile').fill(profile)
    await one.getByRole('button', { name: 'Add' }).click()
    await other.getByText(profile).waitFor()
    await open(one, `${url}/app/developers`)
    await one.getByRole('button', { name: 'Generate a key' }).click()
    await one.getByLabel('Name').fill('Needs a second person')
    await one.getByRole('button', { name: 'Generate', exact: true }).click()
    await one.getByText('needs 1 approval.').waitFor()
    await one.getByRole('dialog', { name: 'Generate a key' }).waitFor({ state: 'detached' })
    await one.getByRole('button', { name: /account of olga/ }).click()
    await one.getByRole('menuitem', { name: 'Sign out' }).click()
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await context.close()
  })
}
