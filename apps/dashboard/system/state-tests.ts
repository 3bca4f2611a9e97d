import { expect, test } from 'vitest'
import { barriers, barriersInDark } from '../testing/barriers.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { inShort } from '../testing/in-short.ts'
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

/** What holds for every page in every state but the full one, and for two tabs of one person. */
export function stateTests(fixture: () => DashboardFixture): void {
  const states = Object.entries(STATES).map(([name, state], turn) => [name, { ...state, turn }] as const)
  test.each(states)(
    'pages are accessible in light and in dark when they are %s',
    async (name, { enter, isLoading, turn }) => {
      const { context, page } = await enter(fixture())
      await page.goto(`${fixture().url}/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const found: string[] = []
      for (const [each, path] of inShort(Object.entries(PAGES), turn)) {
        await visit(page, path, { waits: !isLoading })
        for (const barrier of await barriers(page)) found.push(`${each}, ${name}: ${barrier}`)
        for (const barrier of await barriersInDark(page)) found.push(`${each}, ${name}, dark: ${barrier}`)
      }
      expect(found).toEqual([])
      await context.close()
    },
  )

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
