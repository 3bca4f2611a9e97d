import { expect, test } from 'vitest'
import { ROUTES } from '../../server/system/access/route-access.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { grants } from '../testing/grants.ts'
import { inShort } from '../testing/in-short.ts'
import { offered } from '../testing/offered.ts'
import { open, PAGES, visit } from '../testing/pages.ts'
import { LOOKING, mayUse, OFFERED, ROLES, type Role } from '../testing/role-offers.ts'

/** What differs between what the page and its first row offer a role, and what the role may do. */
export function roleTests(fixture: () => DashboardFixture): void {
  test('every page offers each role what it may do, and nothing else', async () => {
    const found = await Promise.all(ROLES.map((role, turn) => differencesOf(fixture(), role, turn)))
    expect(found.flat()).toEqual([])
  })
}

async function differencesOf({ url, memberOf }: DashboardFixture, role: Role, turn: number): Promise<string[]> {
  const { page } = await memberOf(role)
  await open(page, `${url}/`)
  const found: string[] = []
  const compare = async (name: string, within: 'main' | '[role=dialog]') => {
    let problems: string[] = []
    // A part that has its data may still wait for a frame of its own.
    await expect
      .poll(async () => (problems = differences(role, name, await offered(page, within))), { timeout: 20_000 })
      .toEqual([])
      .catch(() => found.push(...problems.map((each) => `${role}, ${name}: ${each}`)))
  }
  // A viewer sees every page; the others see one another's rest.
  const pages = Object.entries(PAGES)
  for (const [name, path] of role === 'viewer' ? pages : inShort(pages, turn)) {
    await visit(page, path)
    await compare(name, 'main')
    const row = page.locator('main tbody tr.opens').first()
    if ((await row.count()) === 0) continue
    await row.click()
    await page.getByRole('dialog').waitFor()
    await compare(`${name}, opened`, '[role=dialog]')
    await page.keyboard.press('Escape')
  }
  return found
}

function differences(role: Role, page: string, names: readonly string[]): string[] {
  const { must, may } = mayUse(OFFERED[page] ?? {}, role)
  const actions = names.filter((name) => !LOOKING.test(name) && requestIn(name) === undefined)
  return [
    ...actions.filter((name) => !must.includes(name) && !may.includes(name)).map((name) => `offers ${name}`),
    ...must.filter((name) => !actions.includes(name)).map((name) => `lacks ${name}`),
    ...names
      .flatMap((name) => requestIn(name) ?? [])
      .filter((request) => !isGranted(request, role))
      .map((request) => `copies ${request}`),
  ]
}

/** The request that a button copies, where it changes something: `PUT /api/core/deposit-limits`. */
const requestIn = (name: string) => /\b((?:POST|PUT|PATCH|DELETE) \/[^ ?]+)/.exec(name)?.[1]

/** Whether the service lets the session of this role send it. */
function isGranted(request: string, role: Role): boolean {
  const route = Object.keys(ROUTES).find((each) => each.replaceAll(/\{\w+\}/g, '…') === request)
  return route !== undefined && grants(route, role) === true
}
