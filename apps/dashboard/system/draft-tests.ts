import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { changeMeanwhile } from '../testing/change-meanwhile.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'

const SETTINGS = [
  {
    tab: 'limits',
    path: '/api/core/deposit-limits',
    what: 'deposit limits',
    field: 'Threshold: Share of a pool',
    name: 'maxPoolShare',
  },
  {
    tab: 'breakers',
    path: '/api/core/circuit-breakers',
    what: 'circuit breakers',
    field: 'Threshold: Illiquidity',
    name: 'minWithdrawableShare',
  },
] as const

/** Panels that the address opens, and the row that opens one. */
const PANELS = {
  'an operation': { path: '/app/operations?tab=history', row: /Completed/ },
  'a position': { path: '/app/allocations', row: /Aave/ },
  'an exit': { path: '/app/allocations', row: /Queued USDC.*Claimable/ },
  'a wallet': { path: '/app/wallets', row: /Payouts/ },
  'a payment': { path: '/app/ramp?tab=payments', row: /^In #/ },
  'a recipient': { path: '/app/ramp?tab=recipients', row: /Granite/ },
  'a strategy': { path: '/app/venues', row: /Aave/ },
  'a change request': { path: '/app/changes', row: /./ },
} as const

const OTHER = '999999'

/** What a person has typed and not sent yet. */
export function draftTests(fixture: () => DashboardFixture): void {
  test.each(SETTINGS)('the $what of two people overwrite neither each other nor what is typed', async (settings) => {
    const { tab, path, what, field, name } = settings
    const { url, memberOf, as } = fixture()
    const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/login', as('admin'))
    const asAdmin = requestsTo(url, { authorization: `Bearer ${accessToken}` })
    const stored = () => asAdmin('GET', path)
    const { updatedAt: _, breakers: __, ...before } = await stored()
    await asAdmin('PUT', path, { ...before, [name]: '30.00' })
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/venues?tab=${tab}`)
    const threshold = page.getByRole('textbox', { name: field })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const meanwhile = page.getByText(`Somebody changed the ${what} while you were editing`)
    // One's own save is no change by somebody else, however one writes it.
    await threshold.fill('31')
    await save.click()
    await page.getByText('saved.', { exact: false }).first().waitFor()
    await expect.poll(() => threshold.inputValue()).toBe('31.00')
    expect([await save.isDisabled(), await meanwhile.count()]).toEqual([true, 0])
    // Nor is it where one goes on typing.
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      const response = await route.fetch()
      await threshold.fill('33')
      await route.fulfill({ response })
    })
    await threshold.fill('32')
    await save.click()
    await expect.poll(async () => (await stored())[name]).toBe('32.00')
    await expect.poll(() => save.isEnabled()).toBe(true)
    expect([await threshold.inputValue(), await meanwhile.count()]).toEqual(['33', 0])
    await page.unroute(`**${path}`)
    // What the page does not know yet is not overwritten.
    await changeMeanwhile(page, path, () => asAdmin('PUT', path, { ...before, [name]: '40.00' }))
    await save.click()
    await meanwhile.waitFor()
    expect((await stored())[name]).toBe('40.00')
    expect([await threshold.inputValue(), await save.isDisabled()]).toEqual(['33', true])
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Take theirs' }).click()
    expect(await threshold.inputValue()).toBe('40.00')
    // What it reads meanwhile takes no draft away.
    await threshold.fill('50')
    await asAdmin('PUT', path, { ...before, [name]: '41.00' })
    await page.evaluate("new BroadcastChannel('weir').postMessage('data')")
    await meanwhile.waitFor()
    expect(await threshold.inputValue()).toBe('50')
    await page.getByRole('button', { name: 'Keep what I entered' }).click()
    await save.click()
    await expect.poll(async () => (await stored())[name]).toBe('50.00')
    await asAdmin('PUT', path, before)
  })

  test.each(Object.entries(PANELS))(
    'the panel of %s drops the facts of the one before while it reads',
    async (_, panel) => {
      const { url, memberOf } = fixture()
      const { page } = await memberOf('owner')
      await open(page, url + panel.path)
      await page.locator('tbody tr').filter({ hasText: panel.row }).first().click()
      const facts = page.getByRole('dialog').locator('dl').first()
      await facts.waitFor()
      await page.waitForURL(/[?&](open|exit)=\d+/)
      await page.route(new RegExp(`/${OTHER}(?:[/?]|$)`), () => {})
      await page.evaluate(`history.pushState(null, '', location.href.replace(/(open|exit)=\\d+/, '$1=${OTHER}'))`)
      await page.getByRole('dialog').getByLabel('Loading').first().waitFor()
      expect(await facts.count()).toBe(0)
    },
  )

  test('an amount that was typed for one position is not there for the next', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/allocations`)
    await page.locator('tbody tr').filter({ hasText: /Aave/ }).first().click()
    const panel = page.getByRole('dialog', { name: 'Position' })
    const amount = panel.getByRole('textbox', { name: 'Amount' })
    await amount.fill('12.00')
    const response = await page.request.get(`${url}/api/v1/allocations?status=ACTIVE`)
    const { data } = (await response.json()) as { data: { allocations: { id: number; strategy: string }[] } }
    const next = data.allocations.find(({ id }) => !page.url().endsWith(`open=${id}`))!
    await page.evaluate(`history.pushState(null, '', '/app/allocations?open=${next.id}')`)
    await panel.getByText(next.strategy).first().waitFor()
    // The next position may have no field for an amount: nothing in its panel holds the old one.
    const typed = () =>
      panel.locator('input').evaluateAll((inputs) => (inputs as { value?: string }[]).map(({ value }) => value))
    await expect.poll(typed).not.toContain('12.00')
  })

  test('who leaves a draft of the policy is asked first, and nobody without one', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/policy`)
    await page.getByRole('button', { name: 'Add a rule' }).or(page.getByText('Always ask')).first().click()
    await page.getByText('Changes from the policy in force').waitFor()
    const menu = page.getByRole('navigation', { name: 'Pages' })
    await menu.getByRole('link', { name: 'Venues' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByText('Changes from the policy in force').waitFor()
    await menu.getByRole('link', { name: 'Venues' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/app/venues')
    await menu.getByRole('link', { name: 'Approval policy' }).click()
    await page.getByRole('heading', { level: 1, name: 'Approval policy' }).waitFor()
    await menu.getByRole('link', { name: 'Venues' }).click()
    await page.waitForURL('**/app/venues')
  })
  test.each(SETTINGS)('who leaves $what that are not saved is asked first, also for another tab', async (settings) => {
    const { tab, field } = settings
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/venues?tab=${tab}`)
    const threshold = page.getByRole('textbox', { name: field })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const toggle = page.getByRole('switch', { name: field.replace('Threshold: ', '') })
    if (!(await toggle.isChecked())) await toggle.click()
    await threshold.fill('37')
    const ways = [
      page.getByRole('tab', { name: 'Strategies' }),
      page.getByRole('link', { name: 'Wallets', exact: true }),
    ]
    for (const way of ways) {
      await way.click()
      await question.getByRole('button', { name: 'Stay' }).click()
      expect(await threshold.inputValue()).toBe('37')
    }
    await ways[0]!.click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await threshold.waitFor({ state: 'detached' })
  })

  test('who closes a wallet before its buffer is saved is asked first', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/wallets`)
    await page
      .locator('tbody tr')
      .filter({ hasText: /Payouts/ })
      .first()
      .click()
    const amount = page.getByRole('textbox', { name: 'Stays liquid' })
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await amount.fill('1234.00')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Stay' }).click()
    expect(await amount.inputValue()).toBe('1234.00')
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave' }).click()
    await amount.waitFor({ state: 'detached' })
  })
}
